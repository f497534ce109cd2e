// A table as text cells; the terminal and Markdown print the same ones.
export interface ReportTable {
  title: string
  columns: string[]
  rows: string[][]
  own?: { rows?: number[]; columns?: number[] } // ours among published ones
  notes: string[]
}
