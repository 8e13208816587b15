//! What people tell the shop about themselves.

use mirasa_domain::user::{Profile, UserId};

use crate::error::ErrorKind;
use crate::ports::pictures::{Drawer, PictureRefusal};
use crate::ports::storage::User;
use crate::{AppError, Shop};

impl From<PictureRefusal> for AppError {
    fn from(refusal: PictureRefusal) -> AppError {
        let kind = match refusal {
            PictureRefusal::NotAPicture(_) => ErrorKind::UnsupportedMediaType,
            PictureRefusal::TooLarge(_)
            | PictureRefusal::TooLargeForProfile(_)
            | PictureRefusal::TooMuchMemory(_) => ErrorKind::TooLarge,
            PictureRefusal::BadName(_) => ErrorKind::Invalid,
            PictureRefusal::Broken(_) => return AppError::unavailable(refusal),
        };
        AppError::new(kind, refusal.to_string())
    }
}

impl Shop {
    pub async fn update_profile(&self, user: &UserId, profile: Profile) -> Result<User, AppError> {
        let (user, now_ms) = (user.clone(), self.now_ms());
        self.db
            .write(move |writes| {
                Box::pin(async move {
                    writes.update_profile(&user, &profile, now_ms).await?;
                    writes
                        .user(&user)
                        .await?
                        .ok_or_else(AppError::not_authenticated)
                })
            })
            .await
    }

    /// The picture is decoded, kept without its metadata and served by the shop itself.
    pub async fn set_profile_picture(
        &self,
        user: &UserId,
        bytes: Vec<u8>,
    ) -> Result<User, AppError> {
        let picture = self
            .pictures
            .take_in(Drawer::People, "The profile picture", false, bytes)
            .await?;
        let (user, now_ms) = (user.clone(), self.now_ms());
        let kept = picture.file.clone();
        let saved = self
            .db
            .write(move |writes| {
                Box::pin(async move {
                    let gone = AppError::not_authenticated;
                    let before = writes.user(&user).await?.ok_or_else(gone)?;
                    writes
                        .set_profile_picture(&user, &picture.file, now_ms)
                        .await?;
                    let now = writes.user(&user).await?.ok_or_else(gone)?;
                    Ok::<_, AppError>((before.profile_picture, now))
                })
            })
            .await;
        let (before, user) = match saved {
            Ok(saved) => saved,
            Err(fault) => {
                // Perhaps they have asked to be forgotten meanwhile.
                self.drop_profile_picture(kept).await;
                return Err(fault);
            }
        };
        if let Some(before) = before.filter(|before| *before != kept) {
            self.drop_profile_picture(before).await;
        }
        Ok(user)
    }
}
