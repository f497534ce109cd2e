import { existsSync } from 'node:fs'
import type { Case } from './backends.ts'

const folder = new URL('../../../shared/assets/models/', import.meta.url).pathname

// PP-OCR comes without models; the suite tries it where some lie beside the repository.
export const paddleCase: Case = {
  settings: {
    detector: `${folder}ppocr_v3_en_det.onnx`,
    recognizer: `${folder}ppocr_v1_en_number_mobile_rec.onnx`,
    keys: `${folder}ppocr_en_keys.txt`,
    lineHeight: 32,
    device: 'cpu',
  },
  skip: existsSync(folder) ? undefined : 'it needs ../shared/assets/models, which is not there',
}
