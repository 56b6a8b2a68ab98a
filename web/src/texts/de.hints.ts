/** What options mean, in German, where their title does not say it. */

export const hints: Record<string, string> = {
  "hearts.target": "die Runde ist eher zu Ende, wenn jemand so viele Punkte hat; 0: nie; nur bei einer Runde",
  "hearts.pass_sequence": "wohin die drei Karten gehen, Spiel für Spiel: left links, right rechts, across gegenüber, none gar nicht",
  "hearts.expose": "dann zählt Herz doppelt",
  "hearts.ten_of_clubs": "alle Punkte dessen, der sie im Stich hat",
  "hearts.moon": "alle Strafkarten in einer Hand",
  "hearts.first_round_points": "Herz und Pik-Dame",
  "hearts.match_games": "mit wechselnden Plätzen",
  "hearts.match_decks": "dieselben Karten machen die Runden vergleichbar",

  "tarock.rounding": "die Differenz und die Punkte im Klop",
  "tarock.silent_ultimo_penalty": "seinen stillen Wert",
  "tarock.kontra": "das Spiel und angesagte Prämien dürfen verdoppelt werden",
  "tarock.radelci": "hohe Spiele bringen jedem ein Radl, das ein späteres Spiel verdoppelt",
  "tarock.radelc_klop": "jeder mit seinem eigenen Radl",
  "tarock.compulsory_klop": "nach einem Stand von genau 0 oder einem ungültigen Spiel: Solo ohne oder höher, sonst Klop",
  "tarock.final_raise": "wer in der Lizitation übrig ist, ist noch einmal am Wort",
  "tarock.turn_timeout_ms": "0: ohne Grenze",

  "coinche.bid_step": "Zahlen müssen Vielfache davon sein",
  "coinche.allow_generale": "der Ansager macht allein alle Stiche",
  "coinche.capot_closes": "er kann dann nicht coinchiert werden",
  "coinche.undertrump_partner": "wenn dem Partner der Stich gehört",
  "coinche.ta_belote": "König und Dame jeder Farbe",
  "coinche.rounding": "der Punkte, bevor geschrieben wird",
  "coinche.must_beat_defence": "nur bei Zahlen, nicht bei Capot und Générale",
  "coinche.bid_seconds": "0: ohne Grenze",
  "coinche.play_seconds": "0: ohne Grenze",
  "coinche.fill_bots_seconds": "0: nie",

  "taroky.ace_high": "rot zählt dann König, Dame, Reiter, Bube, 1, 4, 3, 2",
  "taroky.chips": "statt gleich vieler für alle, etwa 100,90,110,100",
  "taroky.first_povinnost": "wer Tarock II hat (liegt es im Talon, III und so weiter), oder ein Platz",
  "taroky.timeout": "0: ohne Grenze",
  "taroky.secret_pause": "damit das Warten nichts verrät",

  "sagrada.rounds": "weniger als 10 nur zum Ausprobieren",
  "sagrada.start": "in der ersten Runde, dann geht es reihum",
  "sagrada.solo_tools": "weniger sind schwerer",
  "sagrada.schema_time": "0: ohne Grenze",
  "sagrada.turn_time": "0: ohne Grenze",
};
