// What plugins say to Canonry and hear from it, as the SDK gives it to each new plugin.
export * from '../../starter/plugin/canonry/panel.ts';
