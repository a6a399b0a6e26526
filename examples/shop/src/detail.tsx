import { useEffect, useState } from 'preact/hooks'
import { addPhoto, deleteProduct, getProduct, type Outcome, type Product } from './client.ts'
import { priceText } from './price.ts'

export const ProductDetail = ({ id }: { readonly id: string }) => {
  const [outcome, setOutcome] = useState<Outcome<Product> | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => void getProduct(id).then(setOutcome), [id])
  if (outcome === null) return null
  if (!outcome.ok) return <p role="alert">{outcome.reason}</p>
  const { name, category, price, stock, discount } = outcome.value
  const remove = async () => {
    const removed = await deleteProduct(id)
    if (removed.ok) location.hash = '#/'
    else setProblem(removed.reason)
  }
  return (
    <article>
      <h2>{name}</h2>
      <dl>
        <dt>Category</dt>
        <dd>{category}</dd>
        <dt>Price</dt>
        <dd>{priceText(price)}</dd>
        <dt>In stock</dt>
        <dd>{stock}</dd>
        {discount === undefined ? null : (
          <>
            <dt>Discount</dt>
            <dd>{discount.kind === 'percent' ? `${discount.percent} %` : priceText(discount.amount)}</dd>
          </>
        )}
      </dl>
      {problem === null ? null : <p role="alert">{problem}</p>}
      <p class="buttons">
        <a class="button" href={`#/products/${id}/edit`}>
          Edit
        </a>
        <button type="button" class="danger" onClick={remove}>
          Remove
        </button>
      </p>
      <PhotoForm id={id} />
    </article>
  )
}

const PhotoForm = ({ id }: { readonly id: string }) => {
  const [captions, setCaptions] = useState<readonly string[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const upload = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const data = new FormData(form)
    const added = await addPhoto(id, data.get('file') as File, String(data.get('caption')))
    setProblem(added.ok ? null : added.reason)
    if (!added.ok) return
    setCaptions([...captions, added.value.caption])
    form.reset()
  }
  return (
    <section aria-labelledby="photos">
      <h3 id="photos">Photos</h3>
      <ul>
        {captions.map(caption => (
          <li key={caption}>{caption}</li>
        ))}
      </ul>
      <form onSubmit={upload}>
        <label>
          Picture <input type="file" name="file" accept="image/*" required />
        </label>
        <label>
          Caption <input name="caption" />
        </label>
        {problem === null ? null : <p role="alert">{problem}</p>}
        <button type="submit">Upload</button>
      </form>
    </section>
  )
}
