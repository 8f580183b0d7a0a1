import { readAbout } from './about.ts';
import { readBackend } from './backend.ts';
import { listsIn } from './collect.ts';
import { readCommands } from './commands.ts';
import { type Reading, readIdentity } from './identity.ts';
import { type Part, parseJson } from './json-part.ts';
import { MANIFEST_LIMITS } from './limits.ts';
import { readPages } from './pages.ts';
import { readPanels } from './panels.ts';
import { readPermissions } from './permissions.ts';
import { createReport, reportRepeats } from './report.ts';
import { readSettings } from './settings.ts';
import { sortSurfaces } from './surfaces.ts';
import { kindOf, objectIn } from './texts.ts';
import type { ManifestProblem, PluginManifest } from './types.ts';
import { readWidgets } from './widgets.ts';

export interface ReadManifest {
  /** Null if, and only if, one of the problems is an error. */
  manifest: PluginManifest | null;
  /** In the order of the file. */
  problems: ManifestProblem[];
}

const BOM = '\uFEFF';
const encoder = new TextEncoder();

/**
 * Reads the text of a `plugin.json` (spec 2 §2.6). Never throws. Unknown keys are ignored. An upload must have all that
 * is required; of a plugin that is installed, whatever can be used is.
 */
export function readManifest(given: string, { asUpload = false }: { asUpload?: boolean } = {}): ReadManifest {
  const text = given.startsWith(BOM) ? given.slice(BOM.length) : given;
  const report = createReport(text);
  const tree = isTooLarge(text) ? TOO_LARGE : parseJson(text);
  if (!tree.ok) {
    report.failAt(tree.offset, tree.reason);
    return { manifest: null, problems: report.problems() };
  }
  const manifest = fromTree({ report, root: tree.root, asUpload });
  const problems = report.problems();
  return { manifest: problems.some(({ severity }) => severity === 'error') ? null : manifest, problems };
}

const isTooLarge = (text: string): boolean =>
  text.length > MANIFEST_LIMITS.bytes || encoder.encode(text).length > MANIFEST_LIMITS.bytes;

const TOO_LARGE = {
  ok: false,
  offset: 0,
  reason: `a manifest has at most ${MANIFEST_LIMITS.bytes / 1024} kB; keep data in files beside it`,
} as const;

function fromTree(reading: Reading): PluginManifest | null {
  const { report, root } = reading;
  if (root.type !== 'object') {
    report.fail(root, `a manifest is an object in braces, not ${kindOf(root)}`);
    return null;
  }
  reportRepeats(report, root);
  return {
    ...readIdentity(reading),
    ...readAbout(report, root),
    ...readBackend(report, root),
    ...readParts(reading),
    permissions: readPermissions(report, root),
  };
}

type Parts = Pick<PluginManifest, 'panels' | 'widgets' | 'pages' | 'commands' | 'settings'>;

/** As specified under `capabilities`, and beside it, where others write it. */
function readParts({ report, root }: Reading): Parts {
  const capabilities = objectIn(report, root, 'capabilities');
  const tops: readonly (Part | undefined)[] = [capabilities, root];
  const fronts = [...tops.map((top) => objectIn(report, top, 'frontend')), ...tops];
  const surfaces = sortSurfaces(report, listsIn(report, fronts, 'surfaces'));
  return {
    panels: readPanels(report, [...listsIn(report, fronts, 'panels'), ...surfaces.panel]),
    widgets: readWidgets(report, [
      ...listsIn(report, fronts, 'field_widgets', 'widgets'),
      ...surfaces.widget,
    ]),
    pages: readPages(
      report,
      [...listsIn(report, fronts, 'pages'), ...surfaces.page],
      listsIn(report, fronts, 'nav_entries'),
    ),
    commands: readCommands(report, [...listsIn(report, fronts, 'commands'), ...surfaces.command]),
    settings: readSettings(report, tops),
  };
}
