from __future__ import annotations

from croupier.cluster.lease import LEASE, MARGIN, Lease


def test_a_node_stops_before_its_lease_can_end() -> None:
    lease = Lease(100.0)
    assert lease.acts(100.0 + LEASE - MARGIN - 0.01)
    assert not lease.acts(100.0 + LEASE - MARGIN)


def test_a_renewal_counts_from_when_it_was_sent() -> None:
    lease = Lease(100.0)
    lease.renewed(101.0)  # and the answer came much later
    assert not lease.acts(101.0 + LEASE - MARGIN)


def test_a_node_acts_again_after_a_renewal() -> None:
    lease = Lease(100.0)
    assert not lease.acts(110.0)
    lease.renewed(110.0)
    assert lease.acts(110.5)


def test_after_a_cut_the_others_get_the_time_of_a_lease_to_renew_theirs() -> None:
    lease = Lease(100.0)
    for second in (101.0, 102.0, 103.0):
        lease.renewed(second)
    assert lease.may_replace(103.5)
    lease.renewed(110.0)
    assert not lease.may_replace(110.5)
    for second in (111.0, 112.0, 113.0):
        lease.renewed(second)
    assert lease.may_replace(113.0)


def test_a_lost_lease_is_lost_for_good() -> None:
    lease = Lease(100.0)
    lease.lose()
    lease.renewed(101.0)
    assert lease.lost
    assert not lease.acts(101.0)
