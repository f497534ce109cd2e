import { family } from '../../src/core/backend.ts'
import type { TextReader } from '../../src/core/services.ts'

// Reads text on screen.
export const textReaders = family<TextReader>('read-text', {
  ppocr: () => import('./ppocr.ts'),
  tesseract: () => import('./tesseract.ts'),
  paddle: () => import('./paddle.ts'),
  vlm: () => import('./vlm.ts'),
})
