import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { fieldAt, labelOfPath, wordsOfValue } from '../domain/field-words.ts';
import { type FormField, fieldsOfSchema } from '../domain/form-field.ts';
import { defineTexts, useTexts } from '../kit/i18n/texts.ts';
import { schemaQuery } from './types.ts';

const attributeTexts = defineTexts(
  { name: 'Name', status: 'Status', markdown_body: 'Text', frontmatter_comments: 'Comments in the file' },
  { name: 'Name', status: 'Status', markdown_body: 'Text', frontmatter_comments: 'Kommentare in der Datei' },
);

export interface FieldWords {
  /** The label that the template gives a dotted path; the name of the field until the template is known. */
  labelOf(type: string, path: string): string;
  textOf(type: string, path: string, value: unknown): string;
}

/** The labels of the fields of these types, and their values in words. */
export function useFieldWords(project: string, types: readonly string[]): FieldWords {
  const attributes: Readonly<Record<string, string>> = useTexts(attributeTexts);
  const schemas = useQueries({
    queries: types.map((type) => schemaQuery(project, type)),
    combine: (results) => results.map(({ data }) => data),
  });
  return useMemo(() => {
    const fields = new Map<string, FormField[]>(
      types.map((type, index) => [type, fieldsOfSchema([], schemas[index] ?? {})]),
    );
    const of = (type: string) => fields.get(type) ?? [];
    return {
      labelOf: (type, path) => attributes[path] ?? labelOfPath(of(type), path),
      textOf: (type, path, value) => wordsOfValue(value, fieldAt(of(type), path)),
    };
  }, [types, schemas, attributes]);
}
