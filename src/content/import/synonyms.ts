import { keyOf } from './words.ts';

/** Names that writers' tools use for the same thing, as `keyOf` writes them. Any of them may be a template's field. */
const GROUPS = [
  'aliases alias aka a_k_a also_known_as nickname nicknames other_names',
  'birth_year born birth dob date_of_birth birth_date birthdate birthday year_of_birth',
  'death_year died death dod date_of_death death_date year_of_death',
  'birthplace place_of_birth born_in origin hometown',
  'home residence lives_in lives_at current_location',
  'job occupation profession trade work',
  'faction organization affiliation allegiance guild member_of group',
  'species race ancestry',
  'story_role role',
  'summary description desc short_description blurb abstract synopsis overview tagline logline',
  'want goal motivation desire aim objective',
  'appearance looks physical_description',
  'eye_color eyes',
  'height_cm height',
  'weight_kg weight',
  'parents parent',
  'relationships relations friends',
  'distinguishing_features marks scars',
  'skills abilities talents',
  'tags tag keywords labels',
  'parent_location part_of located_in region',
  'population inhabitants',
  'founded_year founded established year_founded',
  'created_year created made year_created',
  'destroyed_year destroyed',
  'owner owned_by holder possessor bearer',
  'creator made_by maker author inventor',
  'leader ruler head boss led_by',
  'headquarters hq seat',
  'allies ally',
  'enemies enemy rivals',
  'location place where setting venue',
  'participants attendees people involved',
  'year when date day',
  'giver quest_giver given_by',
  'value price cost worth',
  'controlling_faction ruled_by controlled_by government',
  'notable_residents residents',
  'danger_level danger',
  'primary_asset primary_image image picture portrait cover banner thumbnail avatar',
  'markdown_body body content text notes biography bio article',
  'name title display_name full_name label',
];

const groupsOfWord = new Map<string, Set<number>>();
for (const [index, group] of GROUPS.entries()) {
  for (const word of group.split(' ')) {
    const known = groupsOfWord.get(word) ?? new Set<number>();
    groupsOfWord.set(word, known.add(index));
  }
}

const NONE: ReadonlySet<number> = new Set();

/** Names that share a meaning are synonyms. `key` as `keyOf` makes it. */
export const meaningsOf = (key: string): ReadonlySet<number> => groupsOfWord.get(key) ?? NONE;

export const areSynonyms = (left: string, right: string): boolean =>
  !meaningsOf(keyOf(left)).isDisjointFrom(meaningsOf(keyOf(right)));

const TYPE_WORDS: ReadonlyMap<string, string> = new Map([
  ['character', 'person people npc npcs pc pcs cast hero heroes villain villains protagonist'],
  ['location', 'place places city cities town towns village villages building buildings geography'],
  ['district', 'neighborhood neighborhoods quarter quarters'],
  ['faction', 'organization organizations group groups guild guilds house houses clan clans'],
  ['item', 'object objects artifact artifacts weapon weapons thing things equipment prop props'],
  ['job', 'occupation occupations profession professions trade trades'],
  ['brand', 'company companies product products'],
  ['quest', 'mission missions adventure adventures'],
  ['campaign', 'season seasons storyline storylines'],
  ['event', 'incident incidents history battle battles'],
  ['dialogue', 'conversation conversations'],
  ['timeline', 'chronology chronologies'],
  ['assembly', 'scene scenes episode episodes level levels chapter chapters'],
  ['universe', 'world worlds cosmos'],
  ['biome', 'environment environments ecosystem ecosystems climate'],
]);

/** Besides its own name. */
export const wordsForType = (entityType: string): string[] => TYPE_WORDS.get(entityType)?.split(' ') ?? [];
