//! Simulators: the golden vectors on the Verilog, in Icarus and Verilator.
