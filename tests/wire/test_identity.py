"""Names that count as equal, valid names and passwords, and the accounts of tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.core.refusal import Refusal
from croupier.wire.identity import (
    Account,
    Identities,
    alike,
    fold,
    name_error,
    password_error,
    shown_name,
)
from croupier.wire.lookalikes import skeleton
from croupier.wire.measures import BAN, Measure, Notice
from croupier.wire.talk import token_digest

ANNA = Account("Anna", "id of anna")


@pytest.mark.parametrize(
    "other",
    ["anna", "ANNA", " anna ", "an na", "a.n-n_a", "Ànná", "A\u0300nna", "ａｎｎａ", "an\u200bna", "anna!"],
)
def test_names_that_look_alike_count_as_equal(other: str) -> None:
    assert fold(other) == "anna"


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Žiga K.", "zigak"),
        ("Đurđa", "durda"),
        ("Łukasz", "lukasz"),
        ("Straße 7", "strasse7"),
        ("Œuvre", "oeuvre"),
    ],
)
def test_letters_are_compared_as_plain_letters(name: str, key: str) -> None:
    assert fold(name) == key
    assert not name_error(name)


@given(st.text(max_size=40))
def test_folding_twice_changes_nothing(name: str) -> None:
    assert fold(fold(name)) == fold(name)
    assert fold(shown_name(name)) == fold(name)


@pytest.mark.parametrize(
    "name", ["anna", "Ana Marija", "O'Neill", "Jean-Luc", "x_X_x.7", "a" * 20, "Hrvoje Š."]
)
def test_valid_names(name: str) -> None:
    assert name_error(shown_name(name)) == ""


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "4 to 20 Latin letters"),
        ("ann", "4 to 20 Latin letters"),
        ("a" * 21, "4 to 20 Latin letters"),
        ("Анна", "4 to 20 Latin letters"),
        ("anna\tb", "at most 24 letters"),
        ("anna<b>", "at most 24 letters"),
        ("an\u202ena", "at most 24 letters"),
        ("a - - - - - - - - - - - nna", "at most 24 letters"),
        ("bot12", "this name is reserved"),
        ("Guest 123", "this name is reserved"),
        ("Player", "this name is reserved"),
        ("Admin", "this name is reserved"),
    ],
)
def test_invalid_names(name: str, words: str) -> None:
    assert words in name_error(name)


@pytest.mark.parametrize(
    ("password", "words"),
    [
        ("", "0 characters"),
        ("seven77", "7 characters"),
        ("x" * 129, "129 characters"),
        ("aaaaaaaaaa", "too easy to guess"),
        ("Password123", "too easy to guess"),
        ("12345678", "too easy to guess"),
        ("Marianne", "it must differ from the name"),
        ("mari-anne", "it must differ from the name"),
    ],
)
def test_invalid_passwords(password: str, words: str) -> None:
    assert words in password_error(password, "Marianne")


def test_valid_passwords() -> None:
    for password in ("correct horse", "čebula in česen", "Xy7!aaaa", "пароль-длинный"):
        assert password_error(password, "Marianne") == ""


def test_a_token_belongs_to_its_account_until_the_session_ends() -> None:
    identities = Identities()
    identities.admit(ANNA)
    assert identities.holder("t1") is None
    assert identities.mark("t1") == token_digest("t1")
    for token in ("t1", "t2"):
        identities.open_session(token_digest(token), ANNA)
    assert identities.holder("t1") is ANNA
    assert identities.mark("t2") == identities.person(token_digest("t1")) == ANNA.id
    assert identities.account(ANNA.id) is ANNA
    assert identities.end_sessions(ANNA, but=token_digest("t2")) == [token_digest("t1")]
    assert (identities.holder("t1"), identities.holder("t2")) == (None, ANNA)
    identities.dismiss(ANNA)
    assert identities.holder("t2") is None
    assert identities.owner("anna") is None
    assert identities.account(ANNA.id) is None


def test_the_id_of_an_account_is_not_a_token() -> None:
    identities = Identities()
    identities.admit(ANNA)
    assert identities.mark(ANNA.id) != ANNA.id
    assert identities.holder(ANNA.id) is None


def test_the_name_of_an_account_is_refused_to_others() -> None:
    identities = Identities()
    identities.admit(ANNA)
    identities.open_session(token_digest("t1"), ANNA)
    bea = Account("Beatrix", "id of bea")
    identities.admit(bea)
    identities.open_session(token_digest("t2"), bea)
    assert not identities.bars("ANNA", "t1")
    assert identities.bars("Anna", "t2")
    assert identities.bars("an-na", "")
    assert not identities.bars("carla", "")
    assert not identities.bars("carla", "t1")
    assert not identities.bars("", "")


def test_secrets_are_not_shown() -> None:
    assert ANNA.id not in repr(ANNA)


LOOKALIKES = [
    ("Anna", "\u0410nn\u0430"),  # Cyrillic A and a
    ("Anna", "\u0391nna"),  # Greek Alpha
    ("Paolo", "P\u03b1ol\u03bf"),
    ("Paypal", "PaypaI"),
    ("Paypal", "Paypa1"),
    ("Otto", "0tto"),
    ("Emma", "Ernma"),
    ("Anna", "An\u200bna"),
    ("Anna", "Anna\u2800"),  # an empty pattern of Braille
    ("Anna", "\U0001d400nna"),
]


@pytest.mark.parametrize(("name", "other"), LOOKALIKES)
def test_names_that_cannot_be_told_apart_look_alike(name: str, other: str) -> None:
    assert alike(name, other)
    assert alike(other, name)
    assert skeleton(name) == skeleton(other)


@pytest.mark.parametrize(
    ("name", "other"),
    [("Anna", "Anne"), ("ian", "lan"), ("Žiga", "Liga"), ("Мария", "Мариа"), ("bot1", "bot2"), ("", "!")],
)
def test_names_that_look_different_are_different(name: str, other: str) -> None:
    assert not alike(name, other)


def test_names_at_a_table_may_differ_in_case_and_accents() -> None:
    assert len({skeleton(name) for name in ("Ann", "ann", "Änn", "ANN")}) == 4


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_skeleton_is_found_for_every_text(one: str, other: str) -> None:
    assert (skeleton(one) == skeleton(other)) or one != other


@pytest.mark.parametrize(("name", "other"), LOOKALIKES)
def test_a_name_that_looks_like_that_of_an_account_is_barred(name: str, other: str) -> None:
    everyone = Identities()
    owner = Account(name, "id")
    everyone.admit(owner)
    everyone.open_session(token_digest("session"), owner)
    assert everyone.bars(other, "")
    assert not everyone.bars(other, "session")
    everyone.dismiss(owner)
    assert not everyone.bars(other, "")


def test_accounts_that_looked_alike_before_keep_their_names() -> None:
    everyone = Identities()
    both = [Account("Paypal", "id 1"), Account("PaypaI", "id 2")]
    for account in both:
        everyone.admit(account)
        everyone.open_session(token_digest(account.name), account)
    assert [everyone.owner(account.name) for account in both] == both
    assert not any(everyone.bars(account.name, account.name) for account in both)
    everyone.dismiss(both[0])
    assert everyone.bars("Paypal", "")


def test_names_that_look_like_the_house_are_reserved() -> None:
    for name in ("Croupier", "Cr0upier", "Adrnin", "0perator"):
        assert "reserved" in name_error(name), name


def test_orders_of_the_operator_reach_the_other_nodes() -> None:
    here, there = Identities(), Identities()
    here.told = there.repeat
    account = Account("Rudename", "id 1")
    here.admit(account)
    here.open_session("digest", account)
    here.impose(Measure("m1", BAN, "Rudename", ("id 1",), 2.0**33))
    with pytest.raises(Refusal, match="banned"):
        there.measures.check_ban([there.person("digest")])
    here.lift("m1")
    there.measures.check_ban([there.person("digest")])
    here.rename(account, "Annabel")
    assert [there.person("digest"), there.owner("Annabel"), there.owner("Rudename")] == [
        "id 1",
        there.account("id 1"),
        None,
    ]
    assert there.resembled("AnnabeI") is there.account("id 1")
    here.announce(Notice(2.0**33, "soon"))
    assert there.measures.notice == here.measures.notice == Notice(2.0**33, "soon")
    here.announce(None)
    assert there.measures.notice is None
