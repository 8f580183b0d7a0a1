// The helper for pages, as the SDK gives it to each new plugin.
export * from '../../starter/plugin/canonry/panel.ts';
