// SPDX-License-Identifier: MIT OR Apache-2.0
//! Entry points of libgomp that the library does not have: a call ends the run with the name. Without them the
//! call would go to the real libgomp, whose threads know nothing of the ring.

use crate::die::die;

macro_rules! missing {
    ($($name:ident)*) => { $(
        #[unsafe(no_mangle)]
        extern "C" fn $name() {
            die!("the program calls {}, which is not supported", stringify!($name));
        }
    )* };
}

missing! {
    GOACC_data_end
    GOACC_data_start
    GOACC_declare
    GOACC_enter_data
    GOACC_enter_exit_data
    GOACC_exit_data
    GOACC_get_num_threads
    GOACC_get_thread_num
    GOACC_parallel
    GOACC_parallel_keyed
    GOACC_update
    GOACC_wait
    GOMP_doacross_post
    GOMP_doacross_ull_post
    GOMP_doacross_ull_wait
    GOMP_doacross_wait
    GOMP_error
    GOMP_has_masked_thread_num
    GOMP_loop_doacross_dynamic_start
    GOMP_loop_doacross_guided_start
    GOMP_loop_doacross_runtime_start
    GOMP_loop_doacross_start
    GOMP_loop_doacross_static_start
    GOMP_loop_ordered_start
    GOMP_loop_start
    GOMP_loop_ull_doacross_dynamic_start
    GOMP_loop_ull_doacross_guided_start
    GOMP_loop_ull_doacross_runtime_start
    GOMP_loop_ull_doacross_start
    GOMP_loop_ull_doacross_static_start
    GOMP_loop_ull_ordered_start
    GOMP_loop_ull_start
    GOMP_offload_register
    GOMP_offload_register_ver
    GOMP_offload_unregister
    GOMP_offload_unregister_ver
    GOMP_parallel_reductions
    GOMP_scope_start
    GOMP_sections2_start
    GOMP_target
    GOMP_target_data
    GOMP_target_data_ext
    GOMP_target_end_data
    GOMP_target_enter_exit_data
    GOMP_target_ext
    GOMP_target_map_indirect_ptr
    GOMP_target_update
    GOMP_target_update_ext
    GOMP_task_reduction_remap
    GOMP_taskgroup_reduction_register
    GOMP_taskgroup_reduction_unregister
    GOMP_teams
    GOMP_teams4
    GOMP_teams5
    GOMP_teams_reg
    GOMP_warning
    GOMP_workshare_task_reduction_unregister
    omp_aligned_calloc
    omp_capture_affinity
    omp_capture_affinity_
    omp_destroy_allocator
    omp_destroy_allocator_
    omp_display_affinity
    omp_display_affinity_
    omp_display_env
    omp_display_env_
    omp_display_env_8_
    omp_fulfill_event
    omp_fulfill_event_
    omp_get_affinity_format
    omp_get_affinity_format_
    omp_get_default_allocator
    omp_get_default_allocator_
    omp_get_device_from_uid
    omp_get_interop_int
    omp_get_mapped_ptr
    omp_get_num_interop_properties
    omp_get_partition_place_nums
    omp_get_partition_place_nums_
    omp_get_partition_place_nums_8_
    omp_get_place_num_procs
    omp_get_place_num_procs_
    omp_get_place_num_procs_8_
    omp_get_place_proc_ids
    omp_get_place_proc_ids_
    omp_get_place_proc_ids_8_
    omp_get_uid_from_device
    omp_in_explicit_task
    omp_init_allocator
    omp_init_allocator_
    omp_init_allocator_8_
    omp_pause_resource
    omp_pause_resource_
    omp_pause_resource_all
    omp_pause_resource_all_
    omp_realloc
    omp_set_affinity_format
    omp_set_affinity_format_
    omp_set_default_allocator
    omp_set_default_allocator_
    omp_target_alloc
    omp_target_associate_ptr
    omp_target_disassociate_ptr
    omp_target_free
    omp_target_is_present
    omp_target_memcpy
    omp_target_memcpy_async
    omp_target_memcpy_rect
    omp_target_memcpy_rect_async
    omp_target_memset
    omp_target_memset_async
}
