import { useEffect, useState } from 'preact/hooks'
import { type StockChange, watchStock } from './client.ts'

const shown = 5

/** The latest changes of the stock, as they happen. */
export const StockChanges = () => {
  const [changes, setChanges] = useState<readonly StockChange[]>([])
  useEffect(() => watchStock(change => setChanges(earlier => [change, ...earlier].slice(0, shown))), [])
  return (
    <aside aria-labelledby="live">
      <h2 id="live">Stock, live</h2>
      {changes.length === 0 ? <p>Nothing has changed yet.</p> : null}
      <div role="log" aria-labelledby="live">
        <ol>
          {changes.map(({ product_id, name, stock }, index) => (
            <li key={changes.length - index}>
              <a href={`#/products/${product_id}`}>{name}</a> <span>{stock} left</span>
            </li>
          ))}
        </ol>
      </div>
    </aside>
  )
}
