import { createDefinitionEditor } from '../registry/edit-definition.ts';
import type { TemplateRegistry } from '../registry/registry.ts';
import { skillKind } from './skill-kind.ts';

/** Changes one skill file, and resolves once the change is in force. */
export const createSkillEditor = (registry: TemplateRegistry) => createDefinitionEditor(registry, skillKind);
