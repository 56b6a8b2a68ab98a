/** What options mean, in Czech, where their title does not say it. */

export const hints: Record<string, string> = {
  "hearts.target": "hra skončí dříve, když má někdo tolik bodů; 0: nikdy; jen při jedné hře",
  "hearts.pass_sequence": "kam jdou tři karty, rozdání po rozdání: left doleva, right doprava, across naproti, none nikam",
  "hearts.expose": "srdce se pak počítají dvakrát",
  "hearts.ten_of_clubs": "všechny body toho, kdo ji sebere",
  "hearts.moon": "všechny trestné karty u jednoho hráče",
  "hearts.first_round_points": "srdce a piková dáma",
  "hearts.match_games": "místa se střídají",
  "hearts.match_decks": "se stejnými kartami jsou hry srovnatelné",

  "tarock.rounding": "rozdíl a body v klopu",
  "tarock.silent_ultimo_penalty": "svou tichou hodnotu",
  "tarock.kontra": "hru a ohlášené prémie lze zdvojit",
  "tarock.radelci": "vysoké hry přinesou každému radelc, který zdvojí pozdější hru",
  "tarock.radelc_klop": "každému jeho vlastní radelc",
  "tarock.compulsory_klop": "po součtu přesně 0 nebo neplatném rozdání: sólo bez nebo vyšší, jinak klop",
  "tarock.final_raise": "kdo v dražbě zbude, smí promluvit ještě jednou",
  "tarock.turn_timeout_ms": "0: bez omezení",

  "coinche.bid_step": "čísla musí být jeho násobky",
  "coinche.allow_generale": "dražitel vezme sám všechny štychy",
  "coinche.capot_closes": "coinche na něj pak říci nelze",
  "coinche.undertrump_partner": "když štych drží partner",
  "coinche.ta_belote": "král a dáma kterékoli barvy",
  "coinche.rounding": "bodů, než se zapíšou",
  "coinche.must_beat_defence": "jen u čísel, ne u capotu a générale",
  "coinche.bid_seconds": "0: bez omezení",
  "coinche.play_seconds": "0: bez omezení",
  "coinche.fill_bots_seconds": "0: nikdy",

  "taroky.ace_high": "červené pak jdou král, dáma, jezdec, kluk, 1, 4, 3, 2",
  "taroky.chips": "místo stejně pro všechny, třeba 100,90,110,100",
  "taroky.first_povinnost": "kdo má tarok II (nebo III a tak dál), nebo určité místo",
  "taroky.timeout": "0: bez omezení",
  "taroky.secret_pause": "aby čekání nic neprozradilo",

  "sagrada.rounds": "méně než 10 jen na zkoušku",
  "sagrada.start": "v prvním kole, pak popořadě",
  "sagrada.solo_tools": "méně je těžší",
  "sagrada.schema_time": "0: bez omezení",
  "sagrada.turn_time": "0: bez omezení",
};
