/** The first deal of a game, explained: a text for each phase in which a player is asked, by game and phase. */

export const en = {
  title: "Your first game",
  ok: "Got it",
  skip: "Skip the introduction",

  "tarock.bidding":
    "First the contract is auctioned. Bid only with many tarocks (the numbered trumps) or kings; with an average hand, pass. A higher bid is worth more and harder to win.",
  "tarock.calling": "You play the contract. Call a king: the player who holds it is your partner, and only they know it.",
  "tarock.exchanging":
    "Take one part of the talon, the six cards in the middle. Then discard as many cards as you took; they count for your side. Keep your tarocks.",
  "tarock.announcing":
    "You may announce a bonus, such as taking the last trick with the pagat (tarock I). Announced it counts more, and failing costs as much. Usually choose Nothing.",
  "tarock.playing":
    "Follow suit if you can. If you cannot, you must play a tarock. The highest tarock takes the trick, otherwise the highest card of the suit. The declarer needs 36 of the 70 points.",

  "coinche.bidding":
    "You and the player opposite are partners. Bid how many of the 162 points your side will take, and with which trumps: 80 needs about four trumps with the jack. Passing is fine.",
  "coinche.playing":
    "Follow suit; if you cannot, you must trump, and higher than the trumps on the table if possible, unless your partner is winning. In trumps the jack (20) and the nine (14) are the highest.",

  "taroky.prever":
    "Prever means playing alone against the other three, with half of the talon. Answer no unless your hand is very strong: then everyone plays with a partner.",
  "taroky.talon": "The talon is shared out. You may take the card that is offered to you, or pass it on.",
  "taroky.discard":
    "You have more than twelve cards now: discard the rest. Suit cards go first; kings and trumps stay in your hand.",
  "taroky.moneycards": "Some combinations, for instance many trumps or all kings, are paid by the others at once.",
  "taroky.partner":
    "You are Povinnost and name a trump. The player who holds it is your partner, and nobody else knows until it is played.",
  "taroky.valat": "Valat means that your side takes all twelve tricks. Almost always answer no.",
  "taroky.contra": "A contra doubles the value of the deal. Say it only if you expect to win.",
  "taroky.iote": "You may announce that trump I wins the last trick. It pays extra, and failing costs as much.",
  "taroky.play":
    "Follow suit if you can, otherwise play a trump. The highest trump takes the trick, otherwise the highest card of the suit. The declarers need more than 53 of the 106 points.",

  "sagrada.choosing":
    "Choose one of four windows to fill with dice. The printed colours and numbers limit what may go there. Harder windows bring more favor tokens, which pay for tools.",
  "sagrada.extracting": "You begin this round: draw the dice for everyone from the bag.",
  "sagrada.turn":
    "Take a die and place it in your window: the first one at the edge, every other one beside a die, also diagonally. Dice of the same colour or number must not touch side by side. You have two turns in each round.",
};
