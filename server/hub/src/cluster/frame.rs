//! What goes over a stream between two nodes: a byte that says what it is, and the rest.

use bytes::Bytes;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    Data(Bytes),
    /// So much of what came was taken, by what it cost.
    Credit(u32),
    /// Nothing more comes from that side.
    End,
    /// The stream is broken.
    Reset,
}

impl Frame {
    pub(super) fn encode(&self) -> Vec<u8> {
        match self {
            Self::Data(bytes) => [&[0], bytes.as_ref()].concat(),
            Self::Credit(cost) => [&[1], cost.to_le_bytes().as_slice()].concat(),
            Self::End => vec![2],
            Self::Reset => vec![3],
        }
    }

    pub(super) fn decode(text: &[u8]) -> Option<Self> {
        let (kind, rest) = text.split_first()?;
        match kind {
            0 => Some(Self::Data(Bytes::copy_from_slice(rest))),
            1 => rest.try_into().ok().map(|cost| Self::Credit(u32::from_le_bytes(cost))),
            2 => Some(Self::End),
            3 => Some(Self::Reset),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_frame_comes_back_as_it_went(bytes: Vec<u8>, cost: u32) {
            for frame in [Frame::Data(bytes.into()), Frame::Credit(cost), Frame::End, Frame::Reset] {
                prop_assert_eq!(Frame::decode(&frame.encode()), Some(frame));
            }
        }

        #[test]
        fn what_is_no_frame_is_none_or_one(bytes: Vec<u8>) {
            if let Some(frame) = Frame::decode(&bytes) {
                prop_assert!(Frame::decode(&frame.encode()).is_some());
            }
        }
    }
}
