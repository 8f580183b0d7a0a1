import type { AskedTarget, Target } from '../../content/ai/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import type { AiSettingsService } from '../proposals/index.ts';
import type { Project } from '../records/index.ts';

const BODY = 'markdown_body';

/**
 * Returns the part of a target that the project's settings allow. 409 `ai_forbidden` for a type, or for a part that the caller named; a
 * part that only came along with the whole entity is left out.
 */
export const createAllowed =
  (settings: Pick<AiSettingsService, 'forbidden' | 'requireAllowed'>) =>
  async (
    project: Project,
    template: TemplateDefinition,
    asked: AskedTarget,
    target: Target,
  ): Promise<Target> => {
    const { entity_type: type } = template;
    const named = [
      ...(Array.isArray(asked.fields) ? asked.fields : []),
      ...(asked.body === true || target.passages.length > 0 ? [BODY] : []),
    ];
    await settings.requireAllowed(project, type, named);
    const forbidden = await settings.forbidden(project, type);
    if (forbidden.length === 0) return target;
    const fields = target.fields.filter(({ name }) => !forbidden.includes(name));
    const body = target.body && !forbidden.includes(BODY);
    if (forbidden === 'never' || (fields.length === 0 && !body && target.passages.length === 0))
      await settings.requireAllowed(project, type, [...target.fields.map(({ name }) => name), BODY]);
    return { ...target, fields, body };
  };
