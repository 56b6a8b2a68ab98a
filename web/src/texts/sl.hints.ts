/** What options mean, in Slovenian, where their title does not say it. */

export const hints: Record<string, string> = {
  "hearts.target": "igra se konča prej, ko ima kdo toliko točk; 0: nikoli; le pri eni igri",
  "hearts.pass_sequence": "kam gredo tri karte, delitev za delitvijo: left levo, right desno, across nasproti, none nikamor",
  "hearts.expose": "potem srca štejejo dvojno",
  "hearts.ten_of_clubs": "vse točke tistega, ki jo pobere",
  "hearts.moon": "vse kazenske karte pri enem igralcu",
  "hearts.first_round_points": "srca in pikova dama",
  "hearts.match_games": "z menjavo sedežev",
  "hearts.match_decks": "z istimi kartami so igre primerljive",

  "tarock.rounding": "razlika in točke v klopu",
  "tarock.silent_ultimo_penalty": "svojo tiho vrednost",
  "tarock.kontra": "igro in napovedane dodatke je mogoče podvojiti",
  "tarock.radelci": "visoke igre prinesejo vsakemu radelc, ki podvoji poznejšo igro",
  "tarock.radelc_klop": "vsakemu njegov lastni radelc",
  "tarock.compulsory_klop": "po seštevku natanko 0 ali neveljavni delitvi: solo brez ali višja igra, sicer klop",
  "tarock.final_raise": "kdor ostane v licitaciji, je še enkrat na vrsti",
  "tarock.turn_timeout_ms": "0: brez omejitve",

  "coinche.bid_step": "števila morajo biti njegovi večkratniki",
  "coinche.allow_generale": "napovedovalec sam pobere vse štihe",
  "coinche.capot_closes": "nanj potem ni mogoče reči coinche",
  "coinche.undertrump_partner": "kadar štih drži soigralec",
  "coinche.ta_belote": "kralj in dama katere koli barve",
  "coinche.rounding": "točk, preden se pišejo",
  "coinche.must_beat_defence": "samo pri številih, ne pri capot in générale",
  "coinche.bid_seconds": "0: brez omejitve",
  "coinche.play_seconds": "0: brez omejitve",
  "coinche.fill_bots_seconds": "0: nikoli",

  "taroky.ace_high": "rdeče gredo potem kralj, dama, kaval, fant, 1, 4, 3, 2",
  "taroky.chips": "namesto enako za vse, na primer 100,90,110,100",
  "taroky.first_povinnost": "kdor ima tarok II (ali III in tako naprej), ali določen sedež",
  "taroky.timeout": "0: brez omejitve",
  "taroky.secret_pause": "da čakanje ničesar ne izda",

  "sagrada.rounds": "manj kot 10 samo za preizkus",
  "sagrada.start": "v prvem krogu, potem po vrsti",
  "sagrada.solo_tools": "manj je težje",
  "sagrada.schema_time": "0: brez omejitve",
  "sagrada.turn_time": "0: brez omejitve",
};
