//! The parts of variable names that mark a secret (page 50).

/// A variable whose name holds one of these, in any case, is withheld from servers by default. Sorted, in upper case.
pub const SENSITIVE_ENV: [&str; 15] = [
    "ACCESS_TOKEN",
    "API_KEY",
    "API_SECRET",
    "API_TOKEN",
    "AUTH_TOKEN",
    "AWS_SECRET",
    "AWS_SESSION_TOKEN",
    "CREDENTIAL",
    "DATABASE_URL",
    "DB_PASSWORD",
    "PASSWORD",
    "PRIVATE_KEY",
    "REFRESH_TOKEN",
    "SECRET_KEY",
    "SERVICE_TOKEN",
];
