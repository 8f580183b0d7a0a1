import type { Culture } from './cultures.ts';

const names = (text: string): string[] => text.split(/[\s,]+/);

/** Three sounds to begin with, invented here. */
export const SAMPLES: readonly Culture[] = [
  {
    id: 'harbour',
    label: { en: 'Harbour folk (sample)', de: 'Hafenvolk (Beispiel)' },
    names: names(
      `Mirelle Aluna Corvane Delisar Estrelle Faluna Galidor Halcine Iselle Jorvane Kaluna Lorisel Marenne Nerissa Orlane
       Pelidor Quenelle Rosalun Saverine Talisar Ulvane Verisel Ysanne Zelune Amarine Belisor Calune Doriselle Elvane Florine
       Gavelle Isaldor Jarinel Lavelune Merisor Navelle Olisarne Ravenne Solune Tirelle`,
    ),
  },
  {
    id: 'hills',
    label: { en: 'Hill clans (sample)', de: 'Bergstämme (Beispiel)' },
    names: names(
      `Brannoc Tamsel Oridwen Garrach Hethrin Kerrowan Morvach Drusken Fenroch Aldrach Brethwin Corrag Dunmoch Eskarn Gorwen
       Harrock Ithwen Kelmach Lorrach Maddoch Norwin Orsken Pellach Rhudwen Skarrow Torvach Ulroch Wendrach Yorwen Braddan
       Carwen Durroch Fennach Grethwin Hamroch Kessarn Lethwen Murdach Rennoch Tarsken`,
    ),
  },
  {
    id: 'steppe',
    label: { en: 'Steppe riders (sample)', de: 'Steppenreiter (Beispiel)' },
    names: names(
      `Altuga Baraket Chagan Darukhai Erdeni Gerelmaa Khulanai Manduk Narantu Oyunai Sarukhan Temurai Ulagan Yesuket Zayakhan
       Aruketai Batukhai Borugan Delgerun Enkhutai Galdanai Jarugan Kharaket Lugatai Mergenai Nomukhan Odgerai Sukhetai
       Tarugan Tsagadai Uranket Yargatai Zoljagan Anukhai Bayaketu Chuluket Daritai Ganukhan Monketai Sorugan`,
    ),
  },
];
