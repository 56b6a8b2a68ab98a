import type { en } from "./en";

export const de: typeof en = {
  title: "Deine erste Partie",
  ok: "Verstanden",
  skip: "Einführung überspringen",

  "tarock.bidding":
    "Zuerst wird das Spiel ersteigert. Biete nur mit vielen Tarocken (den nummerierten Trümpfen) oder Königen; mit einem mittleren Blatt passt du. Ein höheres Gebot zählt mehr und ist schwerer zu gewinnen.",
  "tarock.calling": "Du spielst. Ruf einen König: Wer ihn hat, ist dein Partner, und nur diese Person weiß es.",
  "tarock.exchanging":
    "Nimm einen Teil des Talons, der sechs Karten in der Mitte. Leg danach ebenso viele Karten ab; sie zählen für deine Seite. Behalte deine Tarocke.",
  "tarock.announcing":
    "Du kannst eine Prämie ansagen, etwa den letzten Stich mit dem Pagat (Tarock I). Angesagt zählt sie mehr, misslungen kostet sie ebenso viel. Meist wählst du Nichts.",
  "tarock.playing":
    "Bediene die Farbe, wenn du kannst. Sonst musst du Tarock spielen. Der höchste Tarock nimmt den Stich, sonst die höchste Karte der Farbe. Der Spieler braucht 36 von 70 Punkten.",

  "coinche.bidding":
    "Du spielst mit der Person gegenüber. Biete, wie viele der 162 Punkte eure Seite macht und mit welchem Trumpf: Für 80 brauchst du etwa vier Trümpfe mit dem Buben. Passen ist in Ordnung.",
  "coinche.playing":
    "Bediene die Farbe; sonst musst du trumpfen, und zwar höher als die Trümpfe auf dem Tisch, wenn du kannst, außer dein Partner führt. Im Trumpf sind Bube (20) und Neun (14) die höchsten.",

  "taroky.prever":
    "Prever heißt: allein gegen die anderen drei, mit dem halben Talon. Sag nein, wenn dein Blatt nicht sehr stark ist: Dann spielen alle mit Partnern.",
  "taroky.talon": "Der Talon wird verteilt. Du kannst die angebotene Karte nehmen oder weitergeben.",
  "taroky.discard":
    "Du hast jetzt mehr als zwölf Karten: Leg die übrigen ab. Zuerst Farbkarten; Könige und Tarocke bleiben in deiner Hand.",
  "taroky.moneycards": "Manche Kombinationen, etwa viele Tarocke oder alle Könige, bezahlen die anderen sofort.",
  "taroky.partner":
    "Du bist Povinnost und nennst einen Tarock. Wer ihn hat, ist dein Partner, und niemand sonst weiß es, bis er gespielt wird.",
  "taroky.valat": "Valat heißt, dass deine Seite alle zwölf Stiche macht. Sag fast immer nein.",
  "taroky.contra": "Ein Contra verdoppelt den Wert des Spiels. Sag es nur, wenn du zu gewinnen glaubst.",
  "taroky.iote": "Du kannst ansagen, dass Tarock I den letzten Stich macht. Das bringt extra, und misslungen kostet es ebenso viel.",
  "taroky.play":
    "Bediene die Farbe, wenn du kannst, sonst spiel Tarock. Der höchste Tarock nimmt den Stich, sonst die höchste Karte der Farbe. Die Spieler brauchen mehr als 53 der 106 Punkte.",

  "sagrada.choosing":
    "Wähle eines von vier Fenstern, das du mit Würfeln füllst. Die aufgedruckten Farben und Zahlen sagen, was dorthin darf. Schwerere Fenster bringen mehr Gunststeine für Werkzeuge.",
  "sagrada.extracting": "Du beginnst diese Runde: Zieh die Würfel für alle aus dem Beutel.",
  "sagrada.turn":
    "Nimm einen Würfel und setz ihn in dein Fenster: den ersten an den Rand, jeden weiteren neben einen Würfel, auch schräg. Gleiche Farben oder Zahlen dürfen nicht Seite an Seite liegen. In jeder Runde bist du zweimal dran.",
};
