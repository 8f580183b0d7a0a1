import { isTypeName, templateFileName, templateTypeOfName } from '../../../content/template/index.ts';
import type { TemplateSet } from '../registry/template-set.ts';
import { unknownType } from './find-type.ts';

const fileNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Where a new type's template is put, and one whose file is gone: a copy of it that comes back stays as it is. */
export const newTemplatePath = (entityType: string): string =>
  `_Templates/Custom/${templateFileName(entityType)}`;

/** Where a type's template lies, a broken one that never was in force included, or would be put; 404 for what is no type's name. */
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
