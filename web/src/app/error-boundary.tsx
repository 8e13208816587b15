// The last net: a page that throws (or whose code cannot be fetched) shows a way on instead of a blank screen.
import { Component, type ReactNode } from 'react';
import { Failure } from '~/ui/failure';

export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="wrap py-24">
        <Failure message="This page could not be shown." onRetry={() => window.location.reload()} />
      </div>
    );
  }
}
