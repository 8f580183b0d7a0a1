import {
  defaultLayout,
  type Layout,
  layoutFaults,
  layoutPath,
  unplacedFields,
} from '../../../content/layout/index.ts';
import type { TemplateDefinition } from '../../../content/template/index.ts';
import { invalid, notFound, stale } from '../../../kit/errors.ts';
import { type HeaderValue, headerNames } from '../../../kit/http/etag.ts';
import { type Project, unreadableFile } from '../../records/index.ts';
import { requireTag, tagOf } from '../files/file-tag.ts';
import { saveFile } from '../files/save-file.ts';
import type { PresentFile } from '../files/text-file.ts';
import { definitionsLock } from '../registry/edit-definition.ts';
import type { TemplateRegistry } from '../registry/registry.ts';
import { requireType } from '../templates/find-type.ts';
import { layoutKind, layoutProblem, readLayout } from './layout-file.ts';

export interface ShownLayout extends Layout {
  entity_type: string;
  path: string;
  is_saved: boolean;
  checksum: string | null;
  unplaced: string[];
  problem: string | null;
}

export interface LayoutUpdate extends Layout {
  /** Replaces a saved layout that cannot be read. */
  overwrite?: boolean | undefined;
}

/** What the caller has seen, as the headers of the same names. */
export interface SeenLayout {
  ifMatch: HeaderValue;
  /** `*`: that no layout is saved. */
  ifNoneMatch: HeaderValue;
}

function shown(template: TemplateDefinition, file: PresentFile<Layout> | null): ShownLayout {
  const layout = (file && layoutIn(file)) ?? defaultLayout(template);
  return {
    entity_type: template.entity_type,
    path: layoutPath(template.entity_type),
    is_saved: file !== null,
    checksum: file?.checksum ?? null,
    ...layout,
    unplaced: unplacedFields(layout, template),
    problem: file && layoutProblem(file),
  };
}

const layoutIn = ({ read }: PresentFile<Layout>): Layout | null => ('file' in read ? read.file : null);

/** A saved layout, null for one that cannot be read; undefined where none is saved. */
export type SavedLayout = Layout | null | undefined;

/** The layout of each type's form: one file per type, so that it travels with the world. */
export function createLayouts(registry: TemplateRegistry) {
  const templateOf = async (project: Project, entityType: string) =>
    requireType(await registry.of(project), entityType);

  return {
    /** The saved layout, or the default. 404 for an unknown type. */
    async get(project: Project, entityType: string) {
      const template = await templateOf(project, entityType);
      return shown(template, await readLayout(project.files, entityType));
    },

    /**
     * Saves a layout. 409 over an unreadable file, 412 if the caller has seen a different one, 422 if it does not fit the
     * template.
     */
    async update(project: Project, entityType: string, update: LayoutUpdate, seen: SeenLayout) {
      const template = await templateOf(project, entityType);
      const { sections, hidden, overwrite } = update;
      const text = textOf({ sections, hidden }, template);
      return project.database.exclusive(definitionsLock(project), async () => {
        const place = { path: layoutPath(entityType), present: await readLayout(project.files, entityType) };
        requireNone(seen.ifNoneMatch, place.present);
        await saveFile(project.files, layoutKind, place, {
          ifMatch: seen.ifMatch,
          refuse: (present) => (overwrite === true ? undefined : unreadable(present)),
          next: () => text,
        });
        registry.noteWritten(project, place.path);
        return shown(template, await readLayout(project.files, entityType));
      });
    },

    /** Removes the saved layout and returns the default. 404 if none is saved. */
    async remove(project: Project, entityType: string, ifMatch: HeaderValue) {
      const template = await templateOf(project, entityType);
      return project.database.exclusive(definitionsLock(project), async () => {
        const present = await readLayout(project.files, entityType);
        if (present === null)
          throw notFound(`No layout is saved for ${entityType}: its form has the default one`, {
            code: 'no_layout',
          });
        requireTag(ifMatch, present.checksum, 'layout');
        await project.files.remove(present.path);
        registry.noteWritten(project, present.path);
        return shown(template, null);
      });
    },

    async saved(project: Project, entityType: string): Promise<SavedLayout> {
      const file = await readLayout(project.files, entityType);
      return file ? layoutIn(file) : undefined;
    },
  };
}

export type Layouts = ReturnType<typeof createLayouts>;

function textOf(layout: Layout, template: TemplateDefinition): string {
  const errors = layoutFaults(layout, template);
  const [first] = errors;
  if (first) throw invalid(`${first.field}: ${first.message}`, { code: 'invalid_layout', errors });
  return `${JSON.stringify(layout, null, 2)}\n`;
}

function requireNone(ifNoneMatch: HeaderValue, present: PresentFile<Layout> | null): void {
  if (present === null || !headerNames(ifNoneMatch, tagOf(present.checksum))) return;
  throw stale('A layout was saved since you looked: read it and repeat your change', {
    code: 'stale',
    headers: { etag: tagOf(present.checksum) },
  });
}

const unreadable = (present: PresentFile<Layout>) =>
  unreadableFile(`${layoutProblem(present)}. Fix the file, or send \`overwrite: true\` to replace it`);
