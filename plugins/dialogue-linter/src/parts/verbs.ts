export type Tongue = 'en' | 'de' | 'fr';

const words = (text: string): string[] => text.split(/\s+/);

/** Readers pass over these, so they may be used as often as one likes. */
const PLAIN: Readonly<Record<Tongue, readonly string[]>> = {
  en: words('said says say asked asks ask'),
  de: words('sagte sagt sage fragte fragt frage'),
  fr: words('dit dis demanda demande'),
};

const OTHERS: Readonly<Record<Tongue, readonly string[]>> = {
  en: words(
    'added admitted agreed announced answered babbled barked began bellowed breathed called continued cried croaked declared demanded ' +
      'echoed exclaimed explained gasped groaned growled grumbled hissed insisted interrupted joked laughed lied moaned mumbled murmured ' +
      'muttered offered ordered pleaded promised protested repeated replied responded roared screamed shouted shrieked sighed snapped ' +
      'sneered sobbed stammered suggested thought told wailed warned whined whispered wondered yelled',
  ),
  de: words(
    'antwortete befahl bat begann behauptete bemerkte bestätigte brüllte brummte entgegnete ergänzte erklärte erwiderte flehte flüsterte ' +
      'fauchte fluchte fuhr gab gestand höhnte jammerte keuchte knurrte lachte log meinte murmelte nuschelte protestierte raunte rief ' +
      'schluchzte schnaubte schrie seufzte stammelte stöhnte stotterte unterbrach versicherte versprach warnte wiederholte wisperte zischte',
  ),
  fr: words(
    'ajouta annonça avoua chuchota cria déclara expliqua fit gémit grogna hurla insista interrompit lança marmonna murmura objecta ' +
      'ordonna protesta promit reprit répéta répliqua répondit sanglota souffla soupira suggéra supplia',
  ),
};

/** Verbs that show off, unless the settings name others. */
export const BOOKISMS =
  'ejaculated, opined, quipped, chortled, intoned, averred, riposted, expostulated, queried, interjected, ' +
  'entgegnete, konstatierte, deklamierte, proklamierte, monologisierte, rétorqua, objecta, s’exclama';

const TONGUES = ['en', 'de', 'fr'] as const;

const mapOf = (lists: Readonly<Record<Tongue, readonly string[]>>) =>
  TONGUES.flatMap((tongue) => lists[tongue].map((word) => [word, tongue] as const));

const KNOWN: ReadonlyMap<string, Tongue> = new Map([...mapOf(PLAIN), ...mapOf(OTHERS)]);
const PLAIN_WORDS: ReadonlySet<string> = new Set(TONGUES.flatMap((tongue) => PLAIN[tongue]));

export const isPlainVerb = (verb: string): boolean => PLAIN_WORDS.has(verb);

/** The language of a verb by which people speak; null where it is none. Verbs that the settings add are taken for English. */
export const tongueOf = (verb: string, added: ReadonlySet<string>): Tongue | null =>
  KNOWN.get(verb) ?? (added.has(verb) ? 'en' : null);

const PRONOUNS: ReadonlySet<string> = new Set(
  words('i you he she it we they er sie es ich du wir ihr je tu il elle on nous vous ils elles'),
);

export const isPronoun = (word: string): boolean => PRONOUNS.has(word.toLowerCase());
