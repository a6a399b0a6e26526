// JSON source text access (ECMAScript 2026), in Node since 21; TypeScript's own library does not declare it yet.
interface JSON {
  rawJSON(text: string): { readonly rawJSON: string }
  isRawJSON(value: unknown): value is { readonly rawJSON: string }
  parse(
    text: string,
    reviver: (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown
}
