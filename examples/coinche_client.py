"""Coinche over TCP. `python coinche_client.py NAME HOST PORT` plays one game, then exits."""

import socket
import sys
import time

STRENGTH = ["J", "9", "A", "10", "K", "Q", "8", "7"]
SUITS = ["Hearts", "Diamonds", "Clubs", "Spades"]


def cards_in(line: str) -> list[str]:
    """Return the cards of a list in square brackets."""
    inside = line[line.index("[") + 1 : line.index("]")]
    return inside.split(", ") if inside else []


def bid(least: str, hand: list[str]) -> str:
    """Bid the longest suit with a jack or a nine in it, once, if nobody has bid yet."""
    suits = {suit: [card.split()[0] for card in hand if card.endswith(suit)] for suit in SUITS}
    suit = max(suits, key=lambda one: len(suits[one]))
    good = len(suits[suit]) >= 4 and {"J", "9"} & set(suits[suit])
    return f"CONTRACT 80 {suit}" if least == "80" and good else "PASS"


def choose(playable: list[str], leads: bool) -> str:
    """Lead the strongest card; keep it if another player has led."""
    order = sorted(playable, key=lambda card: STRENGTH.index(card.split()[0]))
    return order[0] if leads else order[-1]


def play(connection: socket.socket, name: str) -> bool:
    """Play on one connection; return whether the game is over."""

    def say(command: str) -> None:
        connection.sendall(f"{command}\r\n".encode())

    hand: list[str] = []
    on_table = 0
    say(f"NAME {name}")
    for line in connection.makefile(encoding="utf-8", newline="\r\n"):
        fields = line.split(" :")[0].split()
        match fields[0]:
            case "311":
                hand = cards_in(line)
            case "326":  # legal calls
                say(bid(fields[1], hand))
            case "331":
                on_table += 1
            case "333" | "310":
                on_table = 0
            case "334":  # legal cards
                say(f"PLAY {choose(cards_in(line), on_table == 0)}")
            case "350":
                print(f"team {fields[1]} wins {fields[2]} to {fields[3]}")
                say("QUIT")
                return True
            case "402" | "403":
                sys.exit(line.strip())
    return False


def main(name: str, host: str, port: str) -> None:
    over = False
    while not over:  # reconnect with the same name to return to the seat
        try:
            with socket.create_connection((host, int(port))) as connection:
                over = play(connection, name)
        except OSError:
            time.sleep(0.5)


if __name__ == "__main__":
    main(*(sys.argv[1:] if len(sys.argv) == 4 else sys.exit(__doc__)))
