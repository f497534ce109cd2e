export type CalibrationSet = 'short answers' | 'scores' | 'criteria'
