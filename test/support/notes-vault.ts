export interface VaultFile {
  path: string;
  content: string;
  encoding?: 'base64';
}

/** The type that each folder stands for, and words of its names. */
const FOLDERS = [
  { folder: 'People', type: 'character', words: ['Mira', 'Ansel', 'Tove', 'Björn', 'Œdipe', 'Iris'] },
  {
    folder: 'Places/Old Coast',
    type: 'location',
    words: ['Harbour', 'Mill', 'Gate', 'Tower', 'Ford', 'Quay'],
  },
  {
    folder: 'Organisations',
    type: 'faction',
    words: ['Guild', 'Watch', 'Circle', 'League', 'House', 'Order'],
  },
  { folder: 'Artefacts', type: 'item', words: ['Lamp', 'Ring', 'Sextant', 'Ledger', 'Bell', 'Key'] },
] as const;

export interface VaultNote {
  path: string;
  title: string;
  type: string;
  /** A line that no other note has. */
  mark: string;
}

const PICTURE = Buffer.from('89504e470d0a1a0a00ff', 'hex').toString('base64');

export function vaultNotes(count: number): VaultNote[] {
  return Array.from({ length: count }, (_, index) => {
    const { folder, type, words } = FOLDERS[index % FOLDERS.length] ?? FOLDERS[0];
    const title = `${words[Math.floor(index / FOLDERS.length) % words.length]} ${index}`;
    return { path: `${folder}/${title}.md`, title, type, mark: `Mark ${index} of ${count}.` };
  });
}

/** Determined by the count: every tenth note has a picture, every fiftieth a link to nothing. */
export function notesVault(count: number): VaultFile[] {
  const notes = vaultNotes(count);
  const files: VaultFile[] = [];
  for (const [index, note] of notes.entries()) {
    const near = (step: number) => notes[(index + step) % notes.length]?.title ?? '';
    const picture = index % 10 === 0 ? `\n![[picture ${index}.png]]\n` : '';
    const nowhere = index % 50 === 0 ? `\nNobody wrote [[Lost Note ${index}]].\n` : '';
    files.push({
      path: note.path,
      content: `${frontmatterOf(note, index, near)}${bodyOf(note, near)}${picture}${nowhere}`,
    });
    if (picture !== '')
      files.push({ path: `attachments/picture ${index}.png`, content: PICTURE, encoding: 'base64' });
  }
  return files;
}

function frontmatterOf({ type }: VaultNote, index: number, near: (step: number) => string): string {
  const lines: Record<string, string[]> = {
    character: [
      `born: "${1100 + (index % 90)}"`,
      `home: "[[${near(1)}]]"`,
      `organisation: [[${near(2)}]]`,
      'mood: restless',
    ],
    location: [`population: ${index}`, `ruled by: "[[${near(1)}]]"`],
    faction: [`founded: ${900 + (index % 100)}`, `enemies: ["[[${near(4)}]]"]`],
    item: [`owner: "[[${near(1)}]]"`, 'weight: 1.5', 'rarity: common'],
  };
  const shared = [
    `aliases: [Nr ${index}]`,
    `tags: [world/north, chapter-${index % 12}]`,
    `summary: 'Note ${index}: in one line'`,
  ];
  return `---\n${[...shared, ...(lines[type] ?? [])].join('\n')}\n---\n`;
}

function bodyOf({ title, mark }: VaultNote, near: (step: number) => string): string {
  return `# ${title}

${mark} It concerns [[${near(3)}]] and [[${near(7)}|somebody else]]. #seen

- See [[${near(11)}#History]].
- ${'Rain on slate, and a gull that will not go. '.repeat(8)}

\`\`\`
[[${near(5)}]] is code here
\`\`\`
`;
}
