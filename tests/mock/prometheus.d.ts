declare module 'parse-prometheus-text-format' {
  type Family = {
    readonly name: string
    readonly help: string
    readonly type: 'COUNTER' | 'GAUGE' | 'HISTOGRAM'
    readonly metrics: readonly {
      readonly labels?: Readonly<Record<string, string>>
      readonly value: string
    }[]
  }
  export default function parse(text: string): readonly Family[]
}
