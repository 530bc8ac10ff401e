! SPDX-License-Identifier: MIT OR Apache-2.0
! A Fortran program: loops, reduction, critical section, threadprivate data, allocated and local arrays, output.
module state
  integer, save :: mine = 3
  !$omp threadprivate(mine)
end module

program fortran
  use omp_lib
  use state
  implicit none
  integer, parameter :: n = 120
  integer :: i, j, k, threads, entered, order(12)
  integer :: sums(0:63)
  real(8), allocatable :: a(:, :)
  real(8) :: total
  integer(omp_lock_kind) :: lock
  allocate (a(n, 4))
  total = 0
  entered = 0
  threads = 0
  sums = 0
  call omp_init_lock(lock)
  !$omp parallel do collapse(2) schedule(static)
  do j = 1, 4
    do i = 1, n
      a(i, j) = i * 0.25d0 + j
    end do
  end do
  !$omp parallel do reduction(+:total) schedule(dynamic, 8)
  do i = 1, n
    total = total + sum(a(i, :))
  end do
  !$omp parallel private(k) copyin(mine)
  k = omp_get_thread_num()
  mine = mine + k
  !$omp critical
  entered = entered + 1
  !$omp end critical
  !$omp single
  threads = omp_get_num_threads()
  !$omp end single
  sums(k) = mine * threads
  call omp_set_lock(lock)
  entered = entered + 10
  call omp_unset_lock(lock)
  !$omp barrier
  !$omp atomic
  entered = entered + 100
  !$omp barrier
  !$omp do ordered schedule(dynamic)
  do i = 1, 12
    !$omp ordered
    order(i) = entered + i
    if (i == 5) print *, 'ordered', i
    !$omp end ordered
  end do
  !$omp end do
  !$omp workshare
  a(:, 1) = a(:, 2) * 2
  !$omp end workshare
  !$omp end parallel
  print *, total, entered, threads, sum(sums), sum(a(:, 1))
  write (*, '(12i6)') order
end program
