// The helper for guests, as the SDK gives it to each new plugin.
export * from '../../starter/plugin/canonry/guest.ts';
