import { EditorView } from '@codemirror/view';

const BOX = {
  backgroundColor: 'var(--surface-overlay-bg)',
  color: 'var(--surface-overlay-text)',
  border: '1px solid var(--surface-overlay-border)',
  borderRadius: '6px',
};

const underlined = (color: string) => ({
  textDecoration: `underline wavy ${color}`,
  textDecorationSkipInk: 'none',
  textUnderlineOffset: '3px',
});

const LINK_LINE = {
  textDecorationLine: 'underline',
  textDecorationThickness: '2px',
  textUnderlineOffset: '3px',
};

/** In the colours of the surfaces, so that one theme serves light, dark and whatever a user chose. */
export const theme = EditorView.theme({
  '&': { color: 'var(--surface-base-text)', minHeight: 'inherit' },
  '&.cm-focused': { outline: '2px solid var(--surface-primary-bg)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'inherit', lineHeight: '1.6', minHeight: 'inherit' },
  '.cm-content': {
    padding: '12px 0',
    minHeight: 'inherit',
    caretColor: 'var(--surface-input-text)',
    hyphens: 'auto',
  },
  '.cm-line': { padding: '0 16px' },
  '.cm-specialChar': { color: 'var(--surface-error-bg)' },
  '.ce-heading': { fontWeight: '650', lineHeight: '1.3', paddingTop: '0.6em' },
  '.ce-h1': { fontSize: '1.6em' },
  '.ce-h2': { fontSize: '1.35em' },
  '.ce-h3': { fontSize: '1.15em' },
  '.ce-quote': {
    color: 'var(--surface-input-text-secondary)',
    borderInlineStart: '3px solid var(--surface-input-border)',
    marginInlineStart: '16px',
  },
  '.ce-ruler': {
    display: 'inline-block',
    width: '100%',
    verticalAlign: 'middle',
    borderTop: '1px solid var(--surface-input-border)',
  },
  '.ce-block, .ce-table': { fontFamily: 'ui-monospace, monospace', fontSize: '0.9em', hyphens: 'none' },
  '.ce-block': { backgroundColor: 'var(--surface-input-active)' },
  '.ce-block .ce-code': { fontSize: 'inherit' },
  '.ce-item': { paddingInlineStart: '28px' },
  '.ce-bullet': { color: 'var(--surface-input-text-secondary)' },
  '.ce-task': { margin: '0 4px 0 0', width: '24px', height: '24px', verticalAlign: 'middle' },
  '.ce-done': { color: 'var(--surface-input-text-secondary)', textDecoration: 'line-through' },
  '.ce-strong': { fontWeight: '700' },
  '.ce-emphasis': { fontStyle: 'italic' },
  '.ce-struck': { textDecoration: 'line-through' },
  '.ce-code': { fontFamily: 'ui-monospace, monospace', fontSize: '0.9em' },
  '.ce-mark, .ce-address, .ce-caption': { color: 'var(--surface-input-text-secondary)' },
  '.ce-link': { ...LINK_LINE, textDecorationColor: 'var(--surface-primary-bg)' },
  '.ce-entity, .ce-entity-source': {
    ...LINK_LINE,
    textDecorationColor: 'var(--entity-color, var(--surface-primary-bg))',
  },
  '.ce-entity': { cursor: 'pointer' },
  '.ce-missing': {
    color: 'var(--surface-error-bg)',
    textDecorationStyle: 'dashed',
    textDecorationColor: 'currentcolor',
  },
  '.ce-placeholder': { color: 'var(--surface-input-text-secondary)', fontStyle: 'italic', padding: '0 4px' },
  '.ce-picture': { padding: '4px 16px 12px' },
  '.ce-image': { maxWidth: '100%', height: 'auto', borderRadius: '4px', display: 'block' },
  '.ce-picture-note': {
    color: 'var(--surface-input-text-secondary)',
    overflowWrap: 'anywhere',
    marginInlineEnd: '8px',
  },
  '.ce-offer': { backgroundColor: 'var(--surface-input-active)' },
  '.ce-finding-error': underlined('var(--surface-error-bg)'),
  '.ce-finding-warning': underlined('var(--surface-warning-bg)'),
  '.ce-finding-info': underlined('var(--surface-info-bg)'),
  '.ce-button': {
    font: 'inherit',
    minHeight: '28px',
    padding: '0 10px',
    marginInlineEnd: '6px',
    color: 'var(--surface-elevated-text)',
    backgroundColor: 'var(--surface-elevated-bg)',
    border: '1px solid var(--surface-input-border)',
    borderRadius: '6px',
    cursor: 'pointer',
  },
  '.ce-button:hover': { backgroundColor: 'var(--surface-elevated-hover)' },
  '.ce-panel': { padding: '8px 16px' },
  '.ce-panel-text': { marginInlineEnd: '12px' },
  '.ce-description': {
    position: 'absolute',
    width: '1px',
    height: '1px',
    overflow: 'hidden',
    clipPath: 'inset(50%)',
    whiteSpace: 'nowrap',
  },
  '.cm-panels': { backgroundColor: 'var(--surface-elevated-bg)', color: 'var(--surface-elevated-text)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--surface-elevated-border)' },
  '.cm-tooltip': { ...BOX, boxShadow: '0 6px 24px rgb(0 0 0 / 0.18)', maxWidth: '360px' },
  '.ce-card, .ce-note': { padding: '8px 12px' },
  '.ce-note-line': { margin: '0' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'inherit', maxHeight: '280px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '4px 12px', minHeight: '24px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--surface-primary-bg)',
    color: 'var(--surface-primary-text)',
  },
  '.cm-completionDetail': {
    marginInlineStart: '0.3em',
    fontStyle: 'normal',
    color: 'var(--surface-overlay-text-secondary)',
  },
  'li[aria-selected] .cm-completionDetail': { color: 'inherit' },
  '.ce-dot': {
    display: 'inline-block',
    width: '8px',
    height: '8px',
    borderRadius: '50%',
    marginInlineEnd: '8px',
    backgroundColor: 'var(--entity-color)',
  },
});

const changed = (color: string) => ({
  background: `linear-gradient(${color}, ${color}) bottom / 100% 2px no-repeat`,
});

/** Of two texts beside each other. */
export const mergeTheme = EditorView.theme({
  '.cm-gutters': { backgroundColor: 'transparent', border: 'none' },
  '&.cm-merge-a .cm-changedLine, &.cm-merge-b .cm-changedLine': {
    backgroundColor: 'var(--surface-input-active)',
  },
  '&.cm-merge-a .cm-changedText': changed('var(--surface-error-bg)'),
  '&.cm-merge-b .cm-changedText': changed('var(--surface-success-bg)'),
  '&.cm-merge-a .cm-changedLineGutter': { background: 'var(--surface-error-bg)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--surface-success-bg)' },
});
