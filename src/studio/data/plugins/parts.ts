import type { ComponentType, ReactNode } from 'react';
import type { FormField } from '../../domain/form-field.ts';
import type { PanelLocation, Surface } from '../../domain/plugins/plugin-list.ts';
import type { EntityAddress } from '../entity.ts';

interface PanelsProps {
  surfaces: readonly Surface[];
  entity: EntityAddress;
  /** Panels of the side can be folded. */
  canFold?: boolean;
  /** They stand in a section that has a heading. */
  isNested?: boolean;
}

interface PluginTabProps {
  surface: Surface;
  entity: EntityAddress;
}

interface PluginWidgetProps {
  surface: Surface;
  acceptsOptions: boolean;
  entity: EntityAddress;
  field: FormField;
  value: unknown;
  isReadOnly: boolean;
  onChange: (value: unknown) => void;
  /** Draws label, help and error around the frame; `fault` is one more error. */
  frame: (content: ReactNode, fault: string | null) => ReactNode;
}

/** The parts that enabled plugins have in pages of other features. The components load when they are first shown. */
export interface PluginParts {
  panelsAt(location: PanelLocation, type: string): readonly Surface[];
  Panels: ComponentType<PanelsProps>;
  Tab: ComponentType<PluginTabProps>;
  Widget: ComponentType<PluginWidgetProps>;
}

export type PropsOf<Part extends 'Panels' | 'Tab' | 'Widget'> =
  PluginParts[Part] extends ComponentType<infer Props> ? Props : never;
