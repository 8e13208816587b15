// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderApp } from '~/testing/render';
import { Alert, Banner } from './alert';

it('announces what went wrong', () => {
  renderApp(<Alert className="mb-3">The shop did not answer</Alert>);
  const alert = screen.getByRole('alert');
  expect(alert.textContent).toBe('The shop did not answer');
  expect(alert.className).toContain('text-chilli mb-3');
});

it('leaves the announcement of a banner to the element around it', () => {
  renderApp(
    <div role="status">
      <Banner kind="success">Sent</Banner>
    </div>,
  );
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByRole('status').textContent).toBe('Sent');
  expect(screen.getByText('Sent').className).toContain('text-cardamom');
});
