import { mediaConformance } from '../media.conformance.ts';
import { createMetadataMedia } from './metadata-media.ts';

mediaConformance('music-metadata', createMetadataMedia);
