import type { Random } from '../replica/random.ts';
import type { Book } from '../replica/words.ts';
import type { Disk } from './disk.ts';
import type { LiveNode } from './live-node.ts';

interface Entity {
  version: number;
  markdown_body: string;
  fields: { occupation?: string };
}

interface Folder {
  node: Pick<LiveNode, 'disk'>;
  project: string;
}

interface Place extends Folder {
  node: LiveNode;
}

const IDS = ['ada', 'bo'];
const NEW_IDS = [...IDS, 'di', 'eve'];
const FOLDER = 'Characters';
const pathOf = (id: string) => `${FOLDER}/${id}/CH_${id}.md`;
const PICTURES = IDS.map((id) => `${FOLDER}/${id}/images/face.png`);
const FILES = ['notes.txt', '_Skills/namer.yml', 'Assets/map.json', '_Templates/Custom/PROP_TEMPLATE.md'];
const LARGE = 300_000;
/** Entities move between these; some are the folders of their ids. */
const FOLDERS = [...IDS, 'here', 'there'].map((name) => `${FOLDER}/${name}`);
const ENTITY_FILE = new RegExp(`^${FOLDER}/[^/]+/[^/]+\\.md$`);
const ID = /^id: (\w+)$/m;

const TEMPLATES: Record<string, string> = {
  '_Templates/Custom/CHARACTER_TEMPLATE.md':
    '---\nid: character_template\nentity_type: character\nfolder_name: Characters\nfile_prefix: CH_\nname: "[Name]"\noccupation: "[What they live on]"\n---\n\n## Notes\n',
  '_Templates/Custom/PROP_TEMPLATE.md':
    '---\nid: prop_template\nentity_type: prop\nfolder_name: Props\nfile_prefix: PR_\nname: "[Name]"\n---\n\n## Notes\n',
};

/** Marked, so that it is found in any text. */
const marked = (word: string): string => `${word}w`;
export const wordsIn = (text: string): string[] =>
  (text.match(/w\d+w/g) ?? []).map((word) => word.slice(0, -1));

/** Random edits, each with a new word in place of one that was seen. */
export function createEdits({ random, book }: { random: Random; book: Book }) {
  const word = (...over: string[]) => marked(book.write(...over));
  const paragraphs = () => [word(), word(), word()].join('\n\n');

  /** The content of a new project. */
  const beginning = (): [path: string, text: string][] => [
    ...Object.entries(TEMPLATES),
    ...IDS.map((id): [string, string] => [
      pathOf(id),
      `---\nid: ${id}\nentity_type: character\nname: ${id}\noccupation: ${word()}\n---\n\n${paragraphs()}\n`,
    ]),
  ];

  function edited(text: string): string {
    const words = wordsIn(text);
    if (words.length === 0) return `${text}\n${word()}\n`;
    const old = random.pick(words);
    return text.replace(marked(old), word(old));
  }

  /** Without an answer, the change may be there or not. */
  const sent = (call: Promise<unknown>, body: object): Promise<unknown> =>
    call.catch(() => book.doubt(...wordsIn(JSON.stringify(body))));

  async function update({ node, project }: Place, id: string, found: Entity): Promise<void> {
    const { occupation = '' } = found.fields;
    const change = random.chance(0.3)
      ? { fields: { occupation: word(...wordsIn(occupation)) } }
      : { markdown_body: edited(found.markdown_body) };
    const body = { base_version: found.version, ...change };
    await sent(node.call(project, 'PUT', `/api/entity/character/${id}`, body), change);
  }

  async function byApi({ node, project }: Place): Promise<void> {
    const id = random.pick(IDS);
    const route = `/api/entity/character/${id}`;
    const found = await node.call<Entity>(project, 'GET', route).catch(() => null);
    const what = random.integer(10);
    if (found === null) {
      const body = { entity_id: id, name: id, fields: { occupation: word() }, markdown_body: paragraphs() };
      await sent(node.call(project, 'POST', '/api/entity/character', body), body);
    } else if (what === 0) await node.call(project, 'DELETE', route).catch(() => {});
    else if (what === 1) {
      const body = { entity_type: 'character', old_id: id, new_id: random.pick(NEW_IDS) };
      await node.call(project, 'POST', '/api/rename-entity', body).catch(() => {});
    } else await update({ node, project }, id, found);
  }

  function newFile(path: string): string {
    if (!path.endsWith('.png')) return `"${word()}"\n`;
    return `\x89PNG\r\n\x1a\n${word()}\xff${'\x00\xfe'.repeat(random.chance(0.1) ? LARGE / 2 : 20)}`;
  }

  /** Entity files by path. */
  const entitiesOn = (disk: Disk): [path: string, text: string][] =>
    [...disk.tree()].filter(([path, text]) => ENTITY_FILE.test(path) && ID.test(text));

  const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

  /** Two entities swap places, or ids. */
  function swap(disk: Disk): void {
    const [one, other] = entitiesOn(disk);
    if (one === undefined || other === undefined) return;
    if (random.chance(0.5)) {
      const [here, there] = [folderOf(one[0]), folderOf(other[0])];
      disk.move(here, `${FOLDER}/aside`);
      disk.move(there, here);
      disk.move(`${FOLDER}/aside`, there);
      return;
    }
    const [id, otherId] = [ID.exec(one[1])?.[0] ?? '', ID.exec(other[1])?.[0] ?? ''];
    disk.write(one[0], one[1].replace(ID, otherId));
    disk.write(other[0], other[1].replace(ID, id));
  }

  /** Renames a folder, moves a file to another one, or swaps two entities. */
  function moveOnDisk({ node, project }: Folder): void {
    const disk = node.disk(project);
    const entities = entitiesOn(disk);
    if (entities.length === 0) return;
    const [path] = random.pick(entities);
    const [from, to] = [folderOf(path), random.pick(FOLDERS)];
    const what = random.integer(4);
    if (what === 0) disk.move(from, to);
    else if (what === 1) {
      const isFree = ![...disk.tree().keys()].some((each) => each.startsWith(`${to}/`));
      if (isFree) disk.move(path, `${to}${path.slice(from.length)}`);
    } else swap(disk);
  }

  function onDisk({ node, project }: Folder): void {
    const disk = node.disk(project);
    const places = new Map(entitiesOn(disk).map(([path, text]) => [ID.exec(text)?.[1], path]));
    const own = IDS.map((id) => places.get(id) ?? pathOf(id));
    const path = random.pick([...own, ...own, ...PICTURES, ...FILES]);
    const text = disk.read(path);
    const isEntity = path.endsWith('.md') && path.startsWith(FOLDER);
    const what = random.integer(10);
    if (text === undefined) {
      const hasEntity = [...places.values()].some((place) => path.startsWith(`${folderOf(place)}/`));
      if (!isEntity && (!path.endsWith('.png') || hasEntity)) disk.write(path, newFile(path));
    } else if (what === 0) {
      book.drop(...wordsIn(text));
      disk.remove(path);
    } else if (what === 1 && !isEntity) disk.move(path, path.replace(/(\.\w+)$/, ' moved$1'));
    else disk.write(path, edited(text));
  }

  return { beginning, byApi, onDisk, moveOnDisk };
}

export type Edits = ReturnType<typeof createEdits>;
