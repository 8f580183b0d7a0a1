import { createSettings } from '../../../frame/settings/index.ts';
import { conflict } from '../../../kit/errors.ts';
import type { JsonMap } from '../../../text/json.ts';
import type { Scope } from '../../records/index.ts';
import { aiSettings } from './ai-settings.ts';

/** Parts of a type that may not be generated: all of them, or these fields; `markdown_body` is one. */
export type Forbidden = 'never' | string[];

export interface AiSettings {
  forbidden: Readonly<Record<string, Forbidden>>;
  auto_accept: { tags: boolean };
  updated_by: string | null;
  updated_at: string | null;
}

type Options = Parameters<typeof createSettings>[1];

export type AiSettingsService = ReturnType<typeof createAiSettings>;

/** AI settings of a project. Without any, everything may be generated, and nothing is accepted by itself. */
export function createAiSettings(options: Options) {
  const settings = createSettings(aiSettings, options);

  async function get(project: Scope): Promise<AiSettings> {
    const view = await settings.get(project);
    return {
      forbidden: view?.values.forbidden ?? {},
      auto_accept: { tags: view?.values.auto_accept?.tags ?? false },
      updated_by: view?.updatedBy ?? null,
      updated_at: view?.updatedAt ?? null,
    };
  }

  /** Empty if everything of the type may be generated. */
  const forbidden = async (project: Scope, entityType: string): Promise<Forbidden> => {
    const { forbidden: all } = await get(project);
    return Object.hasOwn(all, entityType) ? (all[entityType] ?? []) : [];
  };

  return {
    get,
    forbidden,

    /** A merge patch: what is left out stays, and a type of null is allowed again. */
    async change(project: Scope, patch: JsonMap, actor: string): Promise<AiSettings> {
      await settings.change(project, { patch, actor });
      return get(project);
    },

    /** 409 `ai_forbidden` if one of the parts (`markdown_body` for the body) may not be generated. */
    async requireAllowed(project: Scope, entityType: string, parts: Iterable<string>): Promise<void> {
      const refused = await forbidden(project, entityType);
      const first = [...parts].find((part) => refused === 'never' || refused.includes(part));
      if (first === undefined) return;
      const what = refused === 'never' ? `of the type ${entityType}` : `for ${entityType}.${first}`;
      throw conflict(
        `This project forbids generated content ${what}: an admin can allow it in its AI settings`,
        {
          code: 'ai_forbidden',
        },
      );
    },
  };
}
