//! Payment: PhonePe's Standard Checkout v2, and a sandbox that speaks it.
