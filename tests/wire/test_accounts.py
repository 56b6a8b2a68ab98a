"""Names that count as the same, what a name or a password must be, and who is behind a token."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.wire.accounts import Account, Register, fold, name_error, password_error, shown_name
from croupier.wire.talk import token_digest

ANNA = Account("Anna", "seal of anna")


@pytest.mark.parametrize(
    "other",
    ["anna", "ANNA", " anna ", "an na", "a.n-n_a", "Ànná", "A\u0300nna", "ａｎｎａ", "an\u200bna", "anna!"],
)
def test_names_that_look_alike_are_the_same(other: str) -> None:
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
def test_every_letter_has_a_plain_one(name: str, key: str) -> None:
    assert fold(name) == key
    assert not name_error(name)


@given(st.text(max_size=40))
def test_folding_what_is_folded_changes_nothing(name: str) -> None:
    assert fold(fold(name)) == fold(name)
    assert fold(shown_name(name)) == fold(name)


@pytest.mark.parametrize(
    "name", ["anna", "Ana Marija", "O'Neill", "Jean-Luc", "x_X_x.7", "a" * 20, "Hrvoje Š."]
)
def test_names_that_will_do(name: str) -> None:
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
        ("bot12", "keeps it for itself"),
        ("Guest 123", "keeps it for itself"),
        ("Player", "keeps it for itself"),
        ("Admin", "keeps it for itself"),
    ],
)
def test_names_that_will_not(name: str, words: str) -> None:
    assert words in name_error(name)


@pytest.mark.parametrize(
    ("password", "words"),
    [
        ("", "0 characters"),
        ("seven77", "7 characters"),
        ("x" * 129, "129 characters"),
        ("aaaaaaaaaa", "everybody would try"),
        ("Password123", "everybody would try"),
        ("12345678", "everybody would try"),
        ("Marianne", "it is the name"),
        ("mari-anne", "it is the name"),
    ],
)
def test_passwords_that_will_not(password: str, words: str) -> None:
    assert words in password_error(password, "Marianne")


def test_passwords_that_will_do() -> None:
    for password in ("correct horse", "čebula in česen", "Xy7!aaaa", "пароль-длинный"):
        assert password_error(password, "Marianne") == ""


def test_a_session_stands_for_its_account_until_it_ends() -> None:
    register = Register()
    register.admit(ANNA)
    assert register.holder("t1") is None
    assert register.seal("t1") == token_digest("t1")
    for token in ("t1", "t2"):
        register.open_session(token_digest(token), ANNA)
    assert register.holder("t1") is ANNA
    assert register.seal("t2") == register.person(token_digest("t1")) == ANNA.seal
    assert register.account(ANNA.seal) is ANNA
    assert register.end_sessions(ANNA, but=token_digest("t2")) == [token_digest("t1")]
    assert (register.holder("t1"), register.holder("t2")) == (None, ANNA)
    register.dismiss(ANNA)
    assert register.holder("t2") is None
    assert register.owner("anna") is None
    assert register.account(ANNA.seal) is None


def test_a_seal_is_no_token() -> None:
    register = Register()
    register.admit(ANNA)
    assert register.seal(ANNA.seal) != ANNA.seal
    assert register.holder(ANNA.seal) is None


def test_a_name_is_barred_to_everybody_else() -> None:
    register = Register()
    register.admit(ANNA)
    register.open_session(token_digest("t1"), ANNA)
    bea = Account("Beatrix", "seal of bea")
    register.admit(bea)
    register.open_session(token_digest("t2"), bea)
    assert not register.bars("ANNA", "t1")
    assert register.bars("Anna", "t2")
    assert register.bars("an-na", "")
    assert not register.bars("carla", "")
    assert not register.bars("carla", "t1")
    assert not register.bars("", "")


def test_secrets_are_not_shown() -> None:
    assert "seal" not in repr(ANNA)
