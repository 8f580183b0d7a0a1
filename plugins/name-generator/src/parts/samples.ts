import type { Culture } from './cultures.ts';

const sample = (id: string, en: string, de: string, names: string): Culture => ({
  id,
  label: { en: `${en} (sample)`, de: `${de} (Beispiel)` },
  names: names.split(/\s+/),
});

/** Three sounds to begin with, invented here. */
export const SAMPLES: readonly Culture[] = [
  sample(
    'harbour',
    'Harbour folk',
    'Hafenvolk',
    `Mirelle Aluna Corvane Delisar Estrelle Faluna Galidor Halcine Iselle Jorvane Kaluna Lorisel Marenne Nerissa Orlane
       Pelidor Quenelle Rosalun Saverine Talisar Ulvane Verisel Ysanne Zelune Amarine Belisor Calune Doriselle Elvane Florine
       Gavelle Isaldor Jarinel Lavelune Merisor Navelle Olisarne Ravenne Solune Tirelle`,
  ),
  sample(
    'hills',
    'Hill clans',
    'Bergstämme',
    `Brannoc Tamsel Oridwen Garrach Hethrin Kerrowan Morvach Drusken Fenroch Aldrach Brethwin Corrag Dunmoch Eskarn Gorwen
       Harrock Ithwen Kelmach Lorrach Maddoch Norwin Orsken Pellach Rhudwen Skarrow Torvach Ulroch Wendrach Yorwen Braddan
       Carwen Durroch Fennach Grethwin Hamroch Kessarn Lethwen Murdach Rennoch Tarsken`,
  ),
  sample(
    'steppe',
    'Steppe riders',
    'Steppenreiter',
    `Altuga Baraket Chagan Darukhai Erdeni Gerelmaa Khulanai Manduk Narantu Oyunai Sarukhan Temurai Ulagan Yesuket Zayakhan
       Aruketai Batukhai Borugan Delgerun Enkhutai Galdanai Jarugan Kharaket Lugatai Mergenai Nomukhan Odgerai Sukhetai
       Tarugan Tsagadai Uranket Yargatai Zoljagan Anukhai Bayaketu Chuluket Daritai Ganukhan Monketai Sorugan`,
  ),
];
