/** What options mean, in French, where their title does not say it. */

export const hints: Record<string, string> = {
  "hearts.target": "la manche finit plus tôt quand un joueur a ce nombre de points ; 0 : jamais ; pour une seule manche",
  "hearts.pass_sequence": "où vont les trois cartes, donne après donne : left à gauche, right à droite, across en face, none nulle part",
  "hearts.expose": "les cœurs comptent alors double",
  "hearts.ten_of_clubs": "tous les points de qui la ramasse",
  "hearts.moon": "toutes les cartes de pénalité prises par un seul",
  "hearts.first_round_points": "les cœurs et la dame de pique",
  "hearts.match_games": "en changeant de position",
  "hearts.match_decks": "les mêmes cartes rendent les manches comparables",

  "tarock.rounding": "la différence et les points du klop",
  "tarock.silent_ultimo_penalty": "sa valeur non annoncée",
  "tarock.kontra": "le jeu et les primes annoncées peuvent être doublés",
  "tarock.radelci": "les hauts contrats donnent à chacun un radelc, qui double un jeu suivant",
  "tarock.radelc_klop": "chacun avec son propre radelc",
  "tarock.compulsory_klop": "après un total d’exactement 0 ou une donne nulle : solo sans ou plus, sinon klop",
  "tarock.final_raise": "qui reste aux enchères parle encore une fois",
  "tarock.turn_timeout_ms": "0 : sans limite",

  "coinche.bid_step": "les nombres doivent en être des multiples",
  "coinche.allow_generale": "le preneur fait seul tous les plis",
  "coinche.capot_closes": "il ne peut alors plus être coinché",
  "coinche.undertrump_partner": "quand le partenaire est maître du pli",
  "coinche.ta_belote": "roi et dame de n’importe quelle couleur",
  "coinche.rounding": "des points, avant de marquer",
  "coinche.must_beat_defence": "pour les nombres, pas pour capot ni générale",
  "coinche.bid_seconds": "0 : sans limite",
  "coinche.play_seconds": "0 : sans limite",
  "coinche.fill_bots_seconds": "0 : jamais",

  "taroky.ace_high": "l’ordre des rouges est alors roi, dame, cavalier, valet, 1, 4, 3, 2",
  "taroky.chips": "au lieu d’autant pour tous, par exemple 100,90,110,100",
  "taroky.first_povinnost": "qui a l’atout II (ou le III et ainsi de suite), ou une place",
  "taroky.timeout": "0 : sans limite",
  "taroky.secret_pause": "pour que l’attente ne trahisse rien",

  "sagrada.rounds": "moins de 10 seulement pour essayer",
  "sagrada.start": "à la première manche, puis chacun à son tour",
  "sagrada.solo_tools": "moins, c’est plus difficile",
  "sagrada.schema_time": "0 : sans limite",
  "sagrada.turn_time": "0 : sans limite",
};
