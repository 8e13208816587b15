// Links to the shop's social media pages.
import { useShop } from '~/api/shop';
import { Icon, type IconName } from '~/ui/icons';

const networks: { key: 'instagram' | 'facebook' | 'youtube' | 'x'; icon: IconName; label: string }[] = [
  { key: 'instagram', icon: 'instagram', label: 'Instagram' },
  { key: 'facebook', icon: 'facebook', label: 'Facebook' },
  { key: 'youtube', icon: 'youtube', label: 'YouTube' },
  { key: 'x', icon: 'x', label: 'X' },
];

export function SocialLinks({ className = '' }: { className?: string }) {
  const { social, name } = useShop();
  return (
    <ul className={`flex ${className}`}>
      {networks
        .filter(({ key }) => social[key])
        .map(({ key, icon, label }) => (
          <li key={key}>
            <a
              href={social[key]}
              target="_blank"
              rel="noopener noreferrer"
              aria-label={`${name} on ${label}`}
              className="grid size-11 place-items-center rounded-full transition hover:bg-current/10"
            >
              <Icon name={icon} />
            </a>
          </li>
        ))}
    </ul>
  );
}
