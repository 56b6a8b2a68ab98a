import type { en } from "./en";

export const sl: typeof en = {
  title: "Vaša prva partija",
  ok: "Razumem",
  skip: "Preskoči uvod",

  "tarock.bidding":
    "Najprej je licitacija. Licitirajte le z veliko taroki (oštevilčenimi aduti) ali kralji; s povprečnimi kartami recite dalje. Višja igra prinese več in jo je teže dobiti.",
  "tarock.calling": "Igrate vi. Rufajte kralja: kdor ga ima, je vaš soigralec, in to ve samo on.",
  "tarock.exchanging":
    "Vzemite en del talona, šestih kart na sredini. Nato založite enako število kart; štejejo za vašo stran. Taroke obdržite.",
  "tarock.announcing":
    "Lahko napoveste dodatek, na primer zadnji vzetek s pagatom (tarok I). Napovedan šteje več, neuspeh pa stane prav toliko. Navadno izberite Nič.",
  "tarock.playing":
    "Odgovorite na barvo, če jo imate. Če je nimate, morate igrati tarok. Vzetek pobere najvišji tarok, sicer najvišja karta barve. Igralec potrebuje 36 od 70 točk.",

  "coinche.bidding":
    "Igrate z igralcem nasproti. Povejte, koliko od 162 točk bo dobila vaša stran in s katerim adutom: za 80 so potrebni približno štirje aduti s fantom. Tudi dalje je v redu.",
  "coinche.playing":
    "Odgovorite na barvo; če je nimate, morate sekati, in to višje od adutov na mizi, če lahko, razen če vodi soigralec. Med aduti sta najvišja fant (20) in devetka (14).",

  "taroky.prever":
    "Prever pomeni igro enega proti trem, s polovico talona. Recite ne, razen z zelo močnimi kartami: potem vsi igrajo s soigralcem.",
  "taroky.talon": "Talon se razdeli. Ponujeno karto lahko vzamete ali podate naprej.",
  "taroky.discard":
    "Zdaj imate več kot dvanajst kart: preostale založite. Najprej karte barv; kralji in taroki ostanejo v roki.",
  "taroky.moneycards": "Nekatere kombinacije, na primer veliko tarokov ali vse kralje, drugi plačajo takoj.",
  "taroky.partner":
    "Vi ste Povinnost in imenujete tarok. Kdor ga ima, je vaš soigralec; nihče drug tega ne ve, dokler ni odigran.",
  "taroky.valat": "Valat pomeni, da vaša stran pobere vseh dvanajst vzetkov. Skoraj vedno recite ne.",
  "taroky.contra": "Kontra podvoji vrednost igre. Recite jo le, če pričakujete zmago.",
  "taroky.iote": "Lahko napoveste, da bo tarok I pobral zadnji vzetek. To prinese več, neuspeh pa stane prav toliko.",
  "taroky.play":
    "Odgovorite na barvo, če jo imate, sicer igrajte tarok. Vzetek pobere najvišji tarok, sicer najvišja karta barve. Igralci potrebujejo več kot 53 od 106 točk.",

  "sagrada.choosing":
    "Izberite eno od štirih oken in ga napolnite s kockami. Natisnjene barve in številke povedo, kaj sme tja. Težja okna prinesejo več žetonov za orodja.",
  "sagrada.extracting": "Ta krog začnete vi: potegnite kocke za vse iz vrečke.",
  "sagrada.turn":
    "Vzemite kocko in jo postavite v okno: prvo na rob, vsako naslednjo ob drugo kocko, tudi poševno. Enaki barvi ali številki se ne smeta stikati s stranico. V vsakem krogu ste na vrsti dvakrat.",
};
