import { family } from '../../src/core/backend.ts'
import type { Detector } from '../../src/core/services.ts'

// Finds things in a frame. No backend ships yet: every profile has this role off.
export const detectors = family<Detector>('detect', {})
