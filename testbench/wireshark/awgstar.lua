-- SPDX-License-Identifier: MIT OR Apache-2.0
-- Dissector of AWG-STAR frames for Wireshark and tshark (docs/wireshark.md).
-- Generated from the contract (model/frame/src/contract) by `cargo xtask contract generate`.
-- Do not edit: `cargo xtask contract check` and the tests fail on drift.

local contract = {}

contract.link_type = 147
contract.bare_link_type = 148
contract.capture_bytes = 2
contract.capture_version = 1
contract.capture_flags_byte = 1
contract.header_bytes = 14
contract.fcs_bytes = 4
contract.data_min = 46
contract.frame_min = 64
contract.frame_max = 1042
contract.short_count_index = 45
contract.c_st_data_full = 0
contract.c_st_data_short = 1
contract.crc_poly = 3988292384
contract.crc_init = 4294967295
contract.token_free = 0
contract.token_data = 1
contract.token_control = 6

contract.header = {
  { name = "mac", title = "MAC", bit = 0, bits = 48, doc = "address of the SMB that sent the frame" },
  { name = "token", title = "TOKEN", bit = 48, bits = 3, doc = "kind of frame" },
  { name = "c_st", title = "C.ST", bit = 51, bits = 5, doc = "control token number; meaning of a signal; short flag of a data token" },
  { name = "node_id", title = "Node_ID", bit = 56, bits = 8, doc = "sending or receiving node, by meaning" },
  { name = "multi_g", title = "Multi_G", bit = 64, bits = 4, doc = "multicast group" },
  { name = "act_seq", title = "Act_Seq", bit = 68, bits = 4, doc = "fragment number of a divided block" },
  { name = "packet_cnt", title = "Packet_Cnt", bit = 72, bits = 8, doc = "sender's frame counter" },
  { name = "addr", title = "Addr", bit = 80, bits = 32, doc = "byte offset in the shared memory" },
}

contract.tokens = {
  { code = 0, name = "free", doc = "free token" },
  { code = 1, name = "data", doc = "data token" },
  { code = 3, name = "p2p", doc = "point-to-point communication", signal = true },
  { code = 4, name = "multicast", doc = "multicast communication", signal = true },
  { code = 5, name = "broadcast", doc = "broadcast communication", signal = true },
  { code = 6, name = "control", doc = "control token (link control)" },
}

contract.checks = {
  { code = 0, name = "ok", doc = "every check passed" },
  { code = 1, name = "abort", doc = "tuser on the last word: aborted by an upstream node" },
  { code = 2, name = "keep", doc = "tkeep not 1111 inside the frame, or not contiguous from byte 0 on the last word" },
  { code = 3, name = "runt", doc = "fewer than 64 bytes" },
  { code = 4, name = "long", doc = "more than 1,042 bytes" },
  { code = 5, name = "fcs", doc = "frame check sequence wrong" },
  { code = 6, name = "token", doc = "TOKEN 010 or 111" },
  { code = 7, name = "c_st", doc = "data token with C.ST other than 00000 and 00001" },
  { code = 8, name = "length", doc = "free token or short data token that is not 64 bytes long" },
  { code = 9, name = "short_count", doc = "short count 0 or above 45" },
}

contract.signals = {
  { name = "lock_mw_request", token = 3, c_st = 9, node_id = "receiver (master)", doc = "lock request, master-worker", fields = { { name = "send_node", offset = 0, bytes = 1 }, { name = "tag", offset = 2, bytes = 2 }, { name = "lock_number", offset = 4, bytes = 4 } } },
  { name = "lock_mw_ack", token = 5, c_st = 10, node_id = "locked node", doc = "lock acknowledge, master-worker", fields = { { name = "tag", offset = 2, bytes = 2 }, { name = "lock_number", offset = 4, bytes = 4 } } },
  { name = "lock_mw_unlock", token = 5, c_st = 11, node_id = "send node", doc = "unlock, master-worker", fields = { { name = "tag", offset = 2, bytes = 2 }, { name = "lock_number", offset = 4, bytes = 4 } } },
  { name = "lock_dist_request", token = 5, c_st = 12, node_id = "send node", doc = "lock request, distributed", fields = { { name = "tag", offset = 2, bytes = 2 }, { name = "lock_number", offset = 4, bytes = 4 } } },
  { name = "lock_dist_ack", token = 5, c_st = 13, node_id = "locked node", doc = "lock acknowledge, distributed", fields = { { name = "tag", offset = 2, bytes = 2 }, { name = "lock_number", offset = 4, bytes = 4 }, { name = "epoch", offset = 8, bytes = 2 } } },
  { name = "lock_dist_unlock", token = 5, c_st = 14, node_id = "send node", doc = "unlock, distributed", fields = { { name = "tag", offset = 2, bytes = 2 }, { name = "lock_number", offset = 4, bytes = 4 } } },
  { name = "lock_dist_pass", token = 3, c_st = 13, node_id = "receiver (next holder)", doc = "lock right passed to a waiter, distributed", fields = { { name = "send_node", offset = 0, bytes = 1 }, { name = "tag", offset = 2, bytes = 2 }, { name = "lock_number", offset = 4, bytes = 4 }, { name = "epoch", offset = 8, bytes = 2 } } },
  { name = "lock_dist_pass_ack", token = 3, c_st = 14, node_id = "receiver (last holder)", doc = "lock right received, distributed", fields = { { name = "send_node", offset = 0, bytes = 1 }, { name = "tag", offset = 2, bytes = 2 }, { name = "lock_number", offset = 4, bytes = 4 }, { name = "epoch", offset = 8, bytes = 2 } } },
  { name = "lock_queue_request", token = 5, c_st = 4, node_id = "send node", doc = "lock request, ring queue", fields = { { name = "tag", offset = 2, bytes = 2 }, { name = "lock_number", offset = 4, bytes = 4 } } },
  { name = "lock_queue_pass", token = 5, c_st = 5, node_id = "next holder", doc = "lock right passed on, ring queue", fields = { { name = "tag", offset = 2, bytes = 2 }, { name = "lock_number", offset = 4, bytes = 4 }, { name = "epoch", offset = 8, bytes = 2 } } },
  { name = "barrier_mw_arrival", token = 3, c_st = 15, node_id = "receiver (master)", doc = "barrier arrival, master-worker", fields = { { name = "send_node", offset = 0, bytes = 1 }, { name = "tag", offset = 2, bytes = 2 } } },
  { name = "barrier_mw_ack", token = 3, c_st = 16, node_id = "receiver", doc = "barrier acknowledge, master-worker", fields = { { name = "send_node", offset = 0, bytes = 1 }, { name = "tag", offset = 2, bytes = 2 } } },
  { name = "barrier_mw_release", token = 5, c_st = 16, node_id = "none (zero)", doc = "barrier release, master-worker", fields = { { name = "tag", offset = 2, bytes = 2 } } },
  { name = "barrier_dist_arrival", token = 5, c_st = 18, node_id = "none (zero); repaired: process to follow", doc = "barrier arrival, distributed", fields = { { name = "send_node", offset = 0, bytes = 1 }, { name = "tag", offset = 2, bytes = 2 } } },
  { name = "barrier_dist_ack", token = 3, c_st = 19, node_id = "receiver", doc = "barrier acknowledge, distributed", fields = { { name = "send_node", offset = 0, bytes = 1 }, { name = "tag", offset = 2, bytes = 2 } } },
  { name = "barrier_dist_release", token = 5, c_st = 20, node_id = "none (zero)", doc = "barrier release, distributed", fields = { { name = "tag", offset = 2, bytes = 2 } } },
  { name = "barrier_ring_arrival", token = 5, c_st = 6, node_id = "send node; or the node asked for its own", doc = "barrier arrival, ring", fields = { { name = "barrier_number", offset = 1, bytes = 1 }, { name = "tag", offset = 2, bytes = 2 } } },
  { name = "swap_request", token = 3, c_st = 24, node_id = "worker (send) node; repaired: receiver (master)", doc = "page swap request", fields = { { name = "tag", offset = 2, bytes = 2 }, { name = "page_number", offset = 4, bytes = 4 } } },
  { name = "process", token = 3, c_st = 31, node_id = "receiver", doc = "signal between processes", fields = { { name = "number", offset = 2, bytes = 2 }, { name = "value", offset = 4, bytes = 4 } } },
  { name = "process", token = 5, c_st = 31, node_id = "send node", doc = "signal between processes", fields = { { name = "number", offset = 2, bytes = 2 }, { name = "value", offset = 4, bytes = 4 } } },
}

contract.controls = {
  { name = "sync", c_st = 1, doc = "a board begins: its data frames are numbered from 0" },
  { name = "monitor", c_st = 2, doc = "heartbeat and census of the active monitor" },
  { name = "fence", c_st = 3, doc = "a board joins: the others confirm what they have sent" },
  { name = "here", c_st = 4, doc = "the answer to a fence: all data sent so far has returned good; Addr says to whom, and which number is next" },
}

contract.flags = {
  { name = "monitor", mask = 0x01, doc = "M: the frame has passed the monitor" },
  { name = "aborted", mask = 0x02, doc = "aborted by an upstream node" },
  { name = "keep", mask = 0x04, doc = "a word with a tkeep that is not allowed" },
  { name = "cut", mask = 0x08, doc = "ended without a last word" },
  { name = "lost", mask = 0x10, doc = "left its node and did not arrive; bytes as they left" },
  { name = "changed", mask = 0x20, doc = "not as it left its node" },
  { name = "again", mask = 0x40, doc = "second copy" },
}

-- What follows uses the tables above and has no layout.

local proto = Proto("awgstar", "AWG-STAR frame")
local bare = Proto("awgstar_bare", "AWG-STAR frame without capture header")
local band, bxor, bnot, rshift = bit.band, bit.bxor, bit.bnot, bit.rshift

-- Codes of a table by name, and its rows by code.
local function by_code(rows)
  local found = {}
  for _, row in ipairs(rows) do found[row.code] = row end
  return found
end

local tokens, checks = by_code(contract.tokens), by_code(contract.checks)
local check_code, controls, signals = {}, {}, {}
for _, check in ipairs(contract.checks) do check_code[check.name] = check.code end
for _, control in ipairs(contract.controls) do controls[control.c_st] = control end
for _, signal in ipairs(contract.signals) do
  signals[signal.token] = signals[signal.token] or {}
  signals[signal.token][signal.c_st] = signal
end

local function names(rows)
  local found = {}
  for code, row in pairs(rows) do found[code] = row.name end
  return found
end

-- Fields.

local fields, experts = {}, {}

local function field(name, make, ...)
  fields[name] = make("awgstar." .. name, ...)
end

-- Bytes of a header field, and the mask of its bits if it shares a byte.
local function place(row)
  local first, last = math.floor(row.bit / 8), math.floor((row.bit + row.bits - 1) / 8)
  local mask = nil
  if row.bits % 8 ~= 0 then
    mask = (2 ^ row.bits - 1) * 2 ^ ((last + 1) * 8 - row.bit - row.bits)
  end
  return first, last - first + 1, mask
end

for _, row in ipairs(contract.header) do
  local _, bytes, mask = place(row)
  if row.name == "mac" then
    field(row.name, ProtoField.ether, row.title, row.doc)
  elseif row.name == "token" then
    field(row.name, ProtoField.uint8, row.title, base.DEC, names(tokens), mask, row.doc)
  elseif bytes == 1 then
    field(row.name, ProtoField.uint8, row.title, base.DEC, nil, mask, row.doc)
  else
    field(row.name, ProtoField.uint32, row.title, base.HEX, nil, mask, row.doc)
  end
end

field("length", ProtoField.uint32, "Length of the frame", base.DEC)
field("kind", ProtoField.string, "Kind of frame", base.ASCII,
  "name of the signal or of the control token, or else of TOKEN")
field("meaning", ProtoField.string, "Meaning")
field("data", ProtoField.bytes, "Data")
field("valid", ProtoField.bytes, "Valid bytes")
field("valid_length", ProtoField.uint32, "Number of valid bytes", base.DEC)
field("pad", ProtoField.bytes, "Pad")
field("short_count", ProtoField.uint8, "Short count", base.DEC)
field("fcs", ProtoField.uint32, "FCS", base.HEX)
field("fcs_computed", ProtoField.uint32, "FCS, computed", base.HEX)
field("fcs_good", ProtoField.bool, "FCS is good")
field("check", ProtoField.uint8, "Verdict of a receiver", base.DEC, names(checks))
field("capture_version", ProtoField.uint8, "Version of the capture header", base.DEC)
for _, flag in ipairs(contract.flags) do
  field(flag.name, ProtoField.bool, flag.doc, 8, nil, flag.mask)
end
for _, signal in ipairs(contract.signals) do
  for _, value in ipairs(signal.fields) do
    if not fields["signal." .. value.name] then
      field("signal." .. value.name, ProtoField.uint32, value.name, base.DEC)
    end
  end
end

for _, check in ipairs(contract.checks) do
  if check.name ~= "ok" then
    local group = check.name == "fcs" and PI_CHECKSUM or PI_MALFORMED
    experts[check.name] = ProtoExpert.new("awgstar.bad." .. check.name, "Bad frame: " .. check.doc, group, PI_ERROR)
  end
end
for _, flag in ipairs(contract.flags) do
  if flag.name == "lost" or flag.name == "changed" or flag.name == "again" then
    experts["link_" .. flag.name] =
      ProtoExpert.new("awgstar.link." .. flag.name, "On the link: " .. flag.doc, PI_SEQUENCE, PI_WARN)
  end
end
experts.unassigned = ProtoExpert.new("awgstar.unassigned", "C.ST has no meaning with this TOKEN", PI_UNDECODED, PI_NOTE)
experts.pad = ProtoExpert.new("awgstar.pad_not_zero", "Pad is not zero", PI_PROTOCOL, PI_NOTE)
experts.not_zero = ProtoExpert.new("awgstar.free_not_zero", "A field of a free token is not zero", PI_PROTOCOL, PI_NOTE)
experts.version = ProtoExpert.new("awgstar.bad_capture", "No capture header of this version", PI_MALFORMED, PI_ERROR)

-- Wireshark takes lists.
local function list(of)
  local all = {}
  for _, one in pairs(of) do all[#all + 1] = one end
  return all
end
proto.fields, proto.experts = list(fields), list(experts)

-- The CRC of the bytes of a string, as a number from 0 on.
local crc_table = {}
for byte = 0, 255 do
  local value = byte
  for _ = 1, 8 do
    local low = band(value, 1)
    value = rshift(value, 1)
    if low == 1 then value = bxor(value, contract.crc_poly) end
  end
  crc_table[byte] = value
end

local function crc32(bytes)
  local register = bit.tobit(contract.crc_init)
  for i = 1, #bytes do
    register = bxor(rshift(register, 8), crc_table[band(bxor(register, bytes:byte(i)), 0xff)])
  end
  return bnot(register) % 4294967296
end

-- The value of a header field.
local function value_of(frame, row)
  local first, bytes = place(row)
  return frame(first, bytes):bitfield(row.bit % 8, row.bits)
end

-- Number of valid bytes of Data, or the verdict that refuses the frame.
local function valid_bytes(header, data_length, short_count)
  if header.token == contract.token_free then
    if data_length ~= contract.data_min then return nil, "length" end
    return 0
  elseif header.token ~= contract.token_data or header.c_st == contract.c_st_data_full then
    return data_length
  elseif header.c_st ~= contract.c_st_data_short then
    return nil, "c_st"
  elseif data_length ~= contract.data_min then
    return nil, "length"
  elseif short_count < 1 or short_count > contract.short_count_index then
    return nil, "short_count"
  end
  return short_count
end

-- What a frame is: its name, and in words.
local function kind_of(header)
  local token = tokens[header.token]
  if not token then return "reserved", "TOKEN is not assigned" end
  local known
  if token.signal then
    known = (signals[header.token] or {})[header.c_st]
  elseif header.token == contract.token_control then
    known = controls[header.c_st]
  end
  if known then return known.name, known.doc, known end
  return token.name, token.doc, nil, token.signal or header.token == contract.token_control
end

-- All bytes are 0.
local function zeros(bytes)
  return not bytes:find("[^\0]")
end

local function link_flags(capture, tree)
  local set, branch = {}, tree:add(proto, capture, "Link")
  branch:add(fields.capture_version, capture(0, 1))
  local flags = capture(contract.capture_flags_byte, 1)
  for _, flag in ipairs(contract.flags) do
    branch:add(fields[flag.name], flags)
    set[flag.name] = band(flags:uint(), flag.mask) ~= 0
    local warning = set[flag.name] and experts["link_" .. flag.name]
    if warning then branch:add_proto_expert_info(warning) end
  end
  return set
end

-- Data, with valid bytes and pad apart, and the values of a signal.
local function add_data(frame, tree, header, data_length, valid, known)
  local data = frame(contract.header_bytes, data_length)
  local branch = tree:add(fields.data, data)
  if known and known.fields then
    for _, value in ipairs(known.fields) do
      if value.offset + value.bytes <= data_length then
        branch:add(fields["signal." .. value.name], data(value.offset, value.bytes))
      end
    end
  end
  if not valid then return end
  if valid > 0 then branch:add(fields.valid, data(0, valid)) end
  branch:add(fields.valid_length, data, valid):set_generated()
  if valid == data_length then return end
  local short = header.token == contract.token_data
  local pad_end = short and contract.short_count_index or data_length
  if pad_end > valid then
    local pad = data(valid, pad_end - valid)
    local item = branch:add(fields.pad, pad)
    if not zeros(pad:raw()) then item:add_proto_expert_info(short and experts.pad or experts.not_zero) end
  end
  if short then branch:add(fields.short_count, data(contract.short_count_index, 1)) end
end

-- The line of the list of packets.
local function summary(frame, header, kind, known, valid, verdict, set)
  local words = { kind }
  if header.token == contract.token_data and header.addr then
    words[#words + 1] = string.format("addr 0x%08x", header.addr)
  elseif header.node_id then
    words[#words + 1] = string.format("node %d", header.node_id)
  end
  if header.token == contract.token_data and valid then
    words[#words + 1] = string.format("%d bytes", valid)
  end
  local length = frame:len() - contract.header_bytes - contract.fcs_bytes
  for _, value in ipairs(known and known.fields or {}) do
    if value.offset + value.bytes <= length then
      local range = frame(contract.header_bytes + value.offset, value.bytes)
      words[#words + 1] = string.format("%s %d", value.name, range:uint())
    end
  end
  if set.monitor then words[#words + 1] = "[M]" end
  if verdict ~= "ok" then words[#words + 1] = "[BAD: " .. checks[check_code[verdict]].doc .. "]" end
  for _, name in ipairs({ "cut", "lost", "changed", "again" }) do
    if set[name] then words[#words + 1] = "[" .. name .. "]" end
  end
  return table.concat(words, ", ")
end

local function dissect(frame, pinfo, root, set, tree)
  local length = frame:len()
  pinfo.cols.protocol = "AWG-STAR"
  tree:add(fields.length, frame(), length):set_generated()

  local header, mac = {}, nil
  for _, row in ipairs(contract.header) do
    local first, bytes = place(row)
    if first + bytes > length then break end
    tree:add(fields[row.name], frame(first, bytes))
    if row.bits <= 32 then header[row.name] = value_of(frame, row) end
    if row.name == "mac" then mac = tostring(frame(first, bytes):ether()) end
  end
  if mac then pinfo.cols.src = mac end

  local verdict = "ok"
  -- The order is that of the codes: the first verdict is the one that counts.
  local function refuse(name)
    if verdict == "ok" then verdict = name end
  end
  -- A node puts the abort word in the place of a word that is missing.
  if set.aborted or set.cut then refuse("abort") end
  if set.keep then refuse("keep") end

  local kind, meaning, known, unassigned, valid = nil, nil, nil, nil, nil
  if length < contract.frame_min then refuse("runt") end
  if length > contract.frame_max then refuse("long") end
  if header.c_st then
    kind, meaning, known, unassigned = kind_of(header)
    tree:add(fields.kind, frame(), kind):set_generated()
    tree:add(fields.meaning, frame(), meaning):set_generated()
  end
  if length >= contract.frame_min then
    local data_length = length - contract.header_bytes - contract.fcs_bytes
    local fcs = frame(length - contract.fcs_bytes, contract.fcs_bytes)
    local computed = crc32(frame:raw(0, length - contract.fcs_bytes))
    local good = computed == fcs:le_uint()
    if not good then refuse("fcs") end
    if not tokens[header.token] then refuse("token") end
    local short_count = frame(contract.header_bytes + contract.short_count_index, 1):uint()
    local refused
    valid, refused = valid_bytes(header, data_length, short_count)
    if refused then refuse(refused) end
    add_data(frame, tree, header, data_length, verdict == "ok" and valid, known)
    local item = tree:add_le(fields.fcs, fcs)
    tree:add(fields.fcs_computed, fcs, computed):set_generated()
    tree:add(fields.fcs_good, fcs, good):set_generated()
    if not good then
      item:append_text(string.format(" [wrong: expected 0x%08x]", computed))
    end
  end
  tree:add(fields.check, frame(), check_code[verdict]):set_generated()
  if verdict ~= "ok" then
    tree:add_proto_expert_info(experts[verdict])
  elseif unassigned then
    tree:add_proto_expert_info(experts.unassigned)
  elseif header.token == contract.token_free then
    for _, row in ipairs(contract.header) do
      local used = row.name == "mac" or row.name == "token" or row.name == "node_id"
      if not used and header[row.name] ~= 0 then
        tree:add_proto_expert_info(experts.not_zero)
        break
      end
    end
  end

  local line = summary(frame, header, kind or "fragment", known, verdict == "ok" and valid, verdict, set)
  tree:append_text(": " .. line)
  pinfo.cols.info = line
end

function proto.dissector(tvb, pinfo, root)
  local tree = root:add(proto, tvb())
  if tvb:len() < contract.capture_bytes or tvb(0, 1):uint() ~= contract.capture_version then
    pinfo.cols.protocol = "AWG-STAR"
    tree:add_proto_expert_info(experts.version)
    return tvb:len()
  end
  local set = link_flags(tvb(0, contract.capture_bytes), tree)
  if tvb:len() > contract.capture_bytes then
    dissect(tvb(contract.capture_bytes):tvb(), pinfo, root, set, tree)
  end
  return tvb:len()
end

function bare.dissector(tvb, pinfo, root)
  dissect(tvb, pinfo, root, {}, root:add(proto, tvb()))
  return tvb:len()
end

local encapsulations = DissectorTable.get("wtap_encap")
encapsulations:add(wtap["USER" .. contract.link_type - 147], proto)
encapsulations:add(wtap["USER" .. contract.bare_link_type - 147], bare)
