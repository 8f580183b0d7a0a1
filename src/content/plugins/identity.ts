import { memberOf, type Part } from './json-part.ts';
import { MANIFEST_LIMITS } from './limits.ts';
import { isSemver, isTrustTier, pluginIdFault } from './names.ts';
import { quoted, type Report } from './report.ts';
import { kindOf, lineOf, textOf } from './texts.ts';
import type { PluginManifest } from './types.ts';

type Identity = Pick<PluginManifest, 'id' | 'name' | 'version' | 'description' | 'trust_tier'>;

export interface Reading {
  report: Report;
  root: Part;
  /** A required field that is missing (spec 2 §2.6) is an error then; otherwise something stands in for it. */
  asUpload: boolean;
}

export function readIdentity(reading: Reading): Identity {
  const { report, root } = reading;
  const id = idOf(reading);
  return {
    id,
    name: required(reading, 'name', lineOf(report, memberOf(root, 'name'))) ?? id,
    version: versionOf(reading),
    description:
      required(
        reading,
        'description',
        textOf(report, memberOf(root, 'description'), MANIFEST_LIMITS.description),
      ) ?? '',
    trust_tier: trustTierOf(reading),
  };
}

function idOf({ report, root }: Reading): string {
  const part = memberOf(root, 'id');
  if (part === undefined) {
    report.fail(root, 'the manifest has no id; give it one such as "id": "my-plugin"');
    return '';
  }
  const { value }: { value?: unknown } = part;
  if (typeof value !== 'string') {
    report.fail(part, `the id is a text such as "my-plugin", not ${kindOf(part)}`);
    return '';
  }
  const fault = pluginIdFault(value);
  if (fault !== null) report.fail(part, fault);
  return value;
}

/** The reader of the value has warned already if it is there, but of no use. */
function required(
  { report, root, asUpload }: Reading,
  name: keyof Identity,
  value: string | null,
): string | null {
  if (value !== null) return value;
  const part = memberOf(root, name);
  if (asUpload) report.fail(part ?? root, `a plugin that is uploaded must have a ${name}, as a text`);
  else if (part === undefined || String(part.value).trim() === '')
    report.warn(part ?? root, `the manifest has no ${name}; give it one, as a text`);
  return null;
}

/** A text that is no version still tells installed plugins apart. */
function versionOf(reading: Reading): string {
  const { report, root, asUpload } = reading;
  const part = memberOf(root, 'version');
  const version = required(reading, 'version', lineOf(report, part));
  if (version === null || part === undefined) return '0.0.0';
  if (!isSemver(version)) {
    const fault = `${quoted(version)} is no semantic version; write three numbers such as 1.0.0`;
    if (asUpload) report.fail(part, fault);
    else report.warn(part, fault);
  }
  return version;
}

const LEAST_TRUSTED = 'community';

function trustTierOf(reading: Reading): string {
  const { report, root, asUpload } = reading;
  const part = memberOf(root, 'trust_tier');
  if (part === undefined && !asUpload) return LEAST_TRUSTED;
  const tier = required(reading, 'trust_tier', lineOf(report, part))?.toLowerCase() ?? LEAST_TRUSTED;
  if (isTrustTier(tier) || part === undefined) return tier;
  const fault = `${quoted(tier)} is no trust_tier; write one word, such as ${LEAST_TRUSTED}`;
  if (asUpload) report.fail(part, fault);
  else report.warn(part, fault);
  return LEAST_TRUSTED;
}
