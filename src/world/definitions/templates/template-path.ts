import { isTypeName, templateFileName, templateTypeOfName } from '../../../content/template/index.ts';
import type { TemplateSet } from '../registry/template-set.ts';
import { unknownType } from './find-type.ts';

const fileNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Where a new template goes, also in place of a deleted one: if that file returns, it stays untouched. */
export const newTemplatePath = (entityType: string): string =>
  `_Templates/Custom/${templateFileName(entityType)}`;

/** Where a type's template is, even if broken, or would be created; 404 for a name that cannot be a type. */
export function templatePath(set: TemplateSet, entityType: string): string {
  const inForce = set.types.get(entityType)?.path;
  if (inForce) return inForce;
  const broken = set.problems.find(
    ({ path }) => path.endsWith('.md') && templateTypeOfName(fileNameOf(path)) === entityType,
  );
  if (broken) return broken.path;
  if (!isTypeName(entityType)) throw unknownType(set, entityType);
  return newTemplatePath(entityType);
}
