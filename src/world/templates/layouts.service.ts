import {
  chosenWidgets,
  defaultLayout,
  type Layout,
  layoutFaults,
  layoutPath,
  unplacedFields,
} from '../../content/layout/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { conflict, invalid, notFound, tooLarge } from '../../kit/errors.ts';
import type { HeaderValue } from '../../kit/http/etag.ts';
import type { Project } from '../records/index.ts';
import { requireType } from './find-type.ts';
import { LAYOUT_LIMIT, type LayoutFile, readLayoutFile } from './layout-file.ts';
import { requireTag } from './template-tag.ts';
import type { TemplateRegistry } from './templates.registry.ts';

export interface ShownLayout extends Layout {
  entity_type: string;
  path: string;
  is_saved: boolean;
  unplaced: string[];
  problem: string | null;
}

export interface LayoutUpdate extends Layout {
  /** Replace a saved layout that cannot be read. */
  overwrite?: boolean | undefined;
}

const lockOf = (project: Project): string => `layout-edits ${project.projectId}`;

function shown(template: TemplateDefinition, file: LayoutFile | null) {
  const layout = file?.layout ?? defaultLayout(template);
  const content: ShownLayout = {
    entity_type: template.entity_type,
    path: layoutPath(template.entity_type),
    is_saved: file !== null,
    ...layout,
    unplaced: unplacedFields(layout, template),
    problem: file?.problem ?? null,
  };
  return { content, checksum: file?.checksum ?? null };
}

/** How the forms of types are arranged: a file a type, so that it travels with the world. */
export function createLayouts(registry: TemplateRegistry) {
  const templateOf = async (project: Project, entityType: string) =>
    requireType(await registry.of(project), entityType);

  return {
    /** The saved layout, or the default. 404 for an unknown type. */
    async get(project: Project, entityType: string) {
      const template = await templateOf(project, entityType);
      return shown(template, await readLayoutFile(project.files, entityType));
    },

    /** Saves a layout. 409 over a file that cannot be read, 412 over one that the caller has not seen, 422 for one that does not fit. */
    async update(project: Project, entityType: string, update: LayoutUpdate, ifMatch: HeaderValue) {
      const template = await templateOf(project, entityType);
      const { sections, hidden, overwrite } = update;
      const text = textOf({ sections, hidden }, template);
      return project.database.exclusive(lockOf(project), async () => {
        const present = await readLayoutFile(project.files, entityType);
        requireTag(ifMatch, present?.checksum ?? null, 'layout');
        if (present?.layout === null && overwrite !== true) throw unreadable(present);
        const condition = present ? { onlyOver: present.bytes } : { ifAbsent: true };
        await project.files.write(layoutPath(entityType), text, condition);
        return shown(template, await readLayoutFile(project.files, entityType));
      });
    },

    /** Removes the saved layout; resolves to the default. 404 where none is saved. */
    async remove(project: Project, entityType: string, ifMatch: HeaderValue) {
      const template = await templateOf(project, entityType);
      return project.database.exclusive(lockOf(project), async () => {
        const present = await readLayoutFile(project.files, entityType);
        if (present === null)
          throw notFound(`No layout is saved for ${entityType}: its form has the default one`, {
            code: 'no_layout',
          });
        requireTag(ifMatch, present.checksum, 'layout');
        await project.files.remove(layoutPath(entityType));
        return shown(template, null);
      });
    },

    /** The widgets that the saved layout of a type chooses, by field. */
    async widgets(project: Project, entityType: string): Promise<ReadonlyMap<string, string>> {
      const layout = (await readLayoutFile(project.files, entityType))?.layout;
      return layout ? chosenWidgets(layout) : new Map();
    },
  };
}

export type Layouts = ReturnType<typeof createLayouts>;

function textOf(layout: Layout, template: TemplateDefinition): string {
  const errors = layoutFaults(layout, template);
  const [first] = errors;
  if (first) throw invalid(`${first.field}: ${first.message}`, { code: 'invalid_layout', errors });
  const text = `${JSON.stringify(layout, null, 2)}\n`;
  if (Buffer.byteLength(text) > LAYOUT_LIMIT)
    throw tooLarge(`The layout would be larger than ${LAYOUT_LIMIT} bytes`);
  return text;
}

const unreadable = ({ problem }: LayoutFile) =>
  conflict(`${problem}. Mend the file, or send \`overwrite: true\` to replace it`, {
    code: 'unreadable_file',
  });
