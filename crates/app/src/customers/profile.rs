//! User profiles.

use mirasa_domain::user::{Profile, User, UserId};

use crate::ports::images::{ImageFolder, ImageStoreError};
use crate::{AppError, ErrorCode, Shop};

impl ImageStoreError {
    /// `field` is the one in which the request has the image.
    pub fn for_field(self, field: &'static str) -> AppError {
        let code = match self {
            ImageStoreError::NotAnImage(_) => ErrorCode::NotAnImage,
            ImageStoreError::TooLarge(_)
            | ImageStoreError::TooLargeForProfile(_)
            | ImageStoreError::TooMuchMemory(_) => ErrorCode::ImageTooLarge,
            ImageStoreError::InvalidName(_) => ErrorCode::InvalidInput,
            ImageStoreError::Storage(_) => return AppError::unavailable(self),
        };
        AppError::new(code, self.to_string()).with_field(field)
    }
}

impl Shop {
    pub async fn update_profile(&self, user: &UserId, profile: Profile) -> Result<User, AppError> {
        let (user, now_ms) = (user.clone(), self.now_ms());
        self.db
            .write(async move |tx| {
                tx.update_profile(&user, &profile, now_ms).await?;
                tx.user(&user)
                    .await?
                    .ok_or_else(AppError::not_authenticated)
            })
            .await
    }

    /// Decodes the image and stores it without its metadata.
    pub async fn set_profile_picture(
        &self,
        user: &UserId,
        bytes: Vec<u8>,
    ) -> Result<User, AppError> {
        let image = self
            .images
            .import(ImageFolder::People, "The profile picture", false, bytes)
            .await
            .map_err(|error| error.for_field("profilePicture"))?;
        let (user, now_ms) = (user.clone(), self.now_ms());
        let file = image.file.clone();
        let saved = self
            .db
            .write(async move |tx| {
                let deleted = AppError::not_authenticated;
                let before = tx.user(&user).await?.ok_or_else(deleted)?;
                tx.set_profile_picture(&user, &image.file, now_ms).await?;
                let now = tx.user(&user).await?.ok_or_else(deleted)?;
                Ok::<_, AppError>((before.profile_picture, now))
            })
            .await;
        let (before, user) = match saved {
            Ok(saved) => saved,
            Err(error) => {
                // The account may have been deleted meanwhile.
                self.delete_unused_profile_picture(file).await;
                return Err(error);
            }
        };
        if let Some(before) = before.filter(|before| *before != file) {
            self.delete_unused_profile_picture(before).await;
        }
        Ok(user)
    }
}
