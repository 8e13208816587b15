// Shows an error message with a button to reload where a page throws or its code cannot be loaded.
import { Component, type ReactNode } from 'react';
import { ErrorState } from '~/ui/feedback/error-state';

export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="page-width py-24">
        <ErrorState message="This page could not be shown." onRetry={() => window.location.reload()} />
      </div>
    );
  }
}
