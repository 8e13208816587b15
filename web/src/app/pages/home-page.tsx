// Home.
import { CardCarousel, CarouselCard } from '~/ui/card-carousel';

export default function HomePage() {
  const views = { base: { perView: 2, gap: 16 }, sm: { perView: 4, gap: 20 }, lg: { perView: 5, gap: 20 } };
  return (
    <div className="wrap">
      <h1>Mirasa</h1>
      <CardCarousel id="x" title="x" label="x" views={views}>
        {[<CarouselCard key="1">a</CarouselCard>]}
      </CardCarousel>
    </div>
  );
}
