-- Parcels of settings that a person has taken in. Each is taken once.
CREATE TABLE settings_taken (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    parcel_id TEXT NOT NULL,
    taken_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, parcel_id)
);
