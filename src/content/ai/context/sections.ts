import { cutWithin } from '../../../text/cut.ts';
import type { AppliedRule } from '../../rules/types.ts';
import { outlineOf } from '../../template/index.ts';
import { type Fence, fenceNotice } from '../fence.ts';
import { headOf, neighbourText, refOf, relationLines } from './entity-text.ts';
import { MATTERS, type Section } from './fit.ts';
import type { ExpandedTexts } from './lookup.ts';
import { requestText } from './request.ts';
import type { ContextInput, ContextSkill, ContextSource } from './types.ts';

const FRAME =
  'You help the writers of a fictional world. You propose text for one entity of it; a person decides what becomes of your proposal. Keep to what the material says: contradict no fact of it, and invent no ids of other entities.';

interface Making {
  input: ContextInput;
  fence: Fence;
  expand: ExpandedTexts['expand'];
}

type Level = Section['matters'];

const section = (
  place: Section['place'],
  matters: Level,
  text: string,
  source: ContextSource | null,
): Section => ({ place, matters, text, source });

/** All that could be sent, in the order of the messages. */
export function sectionsOf(making: Making): Section[] {
  return [
    section('system', MATTERS.must, `${FRAME}\n\n${fenceNotice(making.fence)}`, null),
    ...templateSections(making),
    ...rulesSections(making),
    ...making.input.skills.flatMap((skill) => skillSections(making, skill)),
    ...surroundings(making),
    ...entitySections(making),
    ...making.input.answers.map(({ ref, text }) =>
      section('user', MATTERS.must, `An earlier answer:\n${making.fence.block(ref, text)}`, null),
    ),
    section(
      'user',
      MATTERS.must,
      requestText(making.input, making.fence, making.expand),
      instructionSource(making),
    ),
  ];
}

const instructionSource = ({ input }: Making): ContextSource | null =>
  input.instruction === null ? null : { kind: 'instruction', ref: 'instruction', label: 'Your request' };

function templateSections({ input, expand }: Making): Section[] {
  const { template, target } = input;
  const source = { kind: 'template', ref: template.path, label: template.label } as const;
  const outline = outlineOf(template.body).map(({ heading, level, placeholders }) =>
    `${heading === null ? '' : `${'#'.repeat(level)} ${heading}`} ${placeholders.join(' ')}`.trim(),
  );
  const parts = [
    `The entity is of the type ${template.label}. ${template.description}`.trim(),
    expand(template.generation_instructions.trim()),
    target.body && outline.length > 0 ? `Outline of a body of this type:\n${expand(outline.join('\n'))}` : '',
  ];
  return [section('system', MATTERS.must, parts.filter((part) => part !== '').join('\n\n'), source)];
}

function rulesSections({ input, expand }: Making): Section[] {
  const prompts = input.rulesPrompts.map(({ path, system_prompt }) =>
    section('system', MATTERS.rulesPrompts, expand(system_prompt.trim()), {
      kind: 'rules',
      ref: path,
      label: path,
    }),
  );
  const files = Map.groupBy(input.rules, ({ path }) => path);
  const rules = [...files].map(([path, list]) =>
    section('system', MATTERS.rules, `Rules that the result must keep:\n${list.map(ruleLine).join('\n')}`, {
      kind: 'rules',
      ref: path,
      label: path,
    }),
  );
  return [...prompts, ...rules];
}

const ruleLine = ({ severity, fields, description, message, id }: AppliedRule): string =>
  `- ${severity}${fields.length === 0 ? '' : ` (${fields.join(', ')})`}: ${description || message || id}`;

function skillSections({ expand }: Making, skill: ContextSkill): Section[] {
  const source = { kind: 'skill', ref: skill.skill_id, label: skill.name } as const;
  const fill = (text: string): string => expand(text.trim(), skill.parameters);
  const body = [skill.system, skill.task, skill.user, skill.output_format]
    .map(fill)
    .filter((text) => text !== '');
  const examples = fill(skill.examples);
  return [
    ...(body.length > 0
      ? [section('system', MATTERS.skill, `# Skill: ${skill.name}\n\n${body.join('\n\n')}`, source)]
      : []),
    ...(examples === ''
      ? []
      : [
          section('system', MATTERS.examples, `# Examples of ${skill.name}\n\n${examples}`, {
            ...source,
            label: `${skill.name}: examples`,
          }),
        ]),
  ];
}

function surroundings({ input, fence }: Making): Section[] {
  const { facts, neighbours, candidates } = input;
  const canon = { kind: 'canon', ref: 'canon', label: 'What is known about time and place' } as const;
  const list = candidates.map((each) => `${refOf(each)} ${JSON.stringify(each.name)}`).join('\n');
  return [
    ...(facts.length > 0
      ? [section('user', MATTERS.facts, `Known facts:\n${fence.block('canon', facts.join('\n'))}`, canon)]
      : []),
    ...neighbours.flatMap((neighbour) => {
      const text = neighbourText(neighbour, cutWithin);
      const source = { kind: 'entity', ref: refOf(neighbour), label: neighbour.name } as const;
      return text === null
        ? []
        : [section('user', MATTERS.neighbour, fence.block(refOf(neighbour), text), source)];
    }),
    ...(neighbours.length > 0
      ? [
          section(
            'user',
            MATTERS.relations,
            `Related entities, and the fields that relate them:\n${fence.block('relations', relationLines(neighbours))}`,
            { kind: 'entity', ref: 'relations', label: `${neighbours.length} related entities` },
          ),
        ]
      : []),
    ...(candidates.length > 0
      ? [
          section(
            'user',
            MATTERS.candidates,
            `Entities that reference fields may name:\n${fence.block('candidates', list)}`,
            { kind: 'entity', ref: 'candidates', label: `${candidates.length} entities to choose from` },
          ),
        ]
      : []),
  ];
}

function entitySections({ input, fence }: Making): Section[] {
  const { entity, target } = input;
  if (entity === null) return [];
  const ref = refOf(entity);
  const source = { kind: 'entity', ref, label: entity.name } as const;
  const bodyText = (body: string) => `Its body:\n${fence.block(ref, body)}`;
  const { markdown_body: body } = entity;
  const isWritten = target.body || target.passages.length > 0;
  return [
    section('user', MATTERS.must, `The entity itself:\n${fence.block(ref, headOf(entity))}`, source),
    ...(body.trim() === ''
      ? []
      : [
          {
            ...section('user', isWritten ? MATTERS.must : MATTERS.body, bodyText(body), {
              ...source,
              label: `${entity.name}: body`,
            }),
            shortened: (characters: number) => bodyText(cutWithin(body, characters)),
          },
        ]),
  ];
}
